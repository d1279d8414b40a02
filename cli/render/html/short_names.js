// Names of functions in little room; exported is short_names. names/name_forms.h has the rules.
// eslint-disable-next-line no-unused-vars
var short_names = (function () {
  'use strict';

  // Behind the bracket at `i` and all in it; -1: it is not closed.
  function behind(text, i) {
    var partner = {'<': '>', '(': ')', '[': ']', '{': '}'}, open = [];

    for (; i < text.length; i++) {
      var c = text[i];

      if (partner[c])
        open.push(partner[c]);
      else if (/[>)\]}]/.test(c) && !(c === '>' && /[-=]/.test(text[i - 1])) && open.pop() !== c)
        return -1;
      if (!open.length)
        return i + 1;
    }
    return -1;
  }

  // The first `what` from `i` on that is in no bracket, or -1.
  function outside(text, what, i) {
    while (i >= 0 && i < text.length) {
      if (text.startsWith(what, i))
        return i;
      i = /[<([{]/.test(text[i]) ? behind(text, i) : i + 1;
    }
    return -1;
  }

  // Brackets that belong to the word before them, [begin, end, depth]; null where they do not match.
  function groups_of(name) {
    var symbol = /operator(<=>|<<=|>>=|->\*?|\(\)|<<|>>|<=|>=|<|>)( (?=<))?/y;
    var groups = [], open = [], within = 0, after = -1;

    for (var i = 0; i < name.length; i++) {
      var c = name[i], before = i ? name[i - 1] : ' ', took = null, from;

      symbol.lastIndex = i;
      if (c === 'o' && !/\w/.test(before) && (took = symbol.exec(name))) {
        after = i + took[0].length;
        i = after - 1;
      } else if (c === '<' || c === '(') {
        from = {at: i, closes: c === '<' ? '>' : ')'};
        from.group = after === i || /[\w$\u0080-\uffff]/.test(before) ||
          (c === '(' ? /[>)\]}]/.test(before) : before === ':' && i > 1);
        open.push(from);
        within += from.group;
      } else if (c === '>' && !/[-=]/.test(before) || c === ')') {
        from = open.pop();
        if (!from || from.closes !== c)
          return null;
        within -= from.group;
        if (from.group && !within)
          groups.push([from.at, i + 1, open.length]);
      }
    }
    return open.length ? null : groups;
  }

  // Only closures and arguments follow: the arguments are the function's own.
  function ends_path(name, i) {
    for (; (i = outside(name, '::', i)) >= 0; i += 2)
      if (!/[{<]/.test(name[i + 2] || '<'))
        return false;
    return true;
  }

  // "<Type as Trait>::f" as "Type::f", of any type as "Trait::f".
  function without_trait(name) {
    var end = name[0] === '<' ? behind(name, 0) : -1, inner = name.slice(1, end - 1);
    var as = end < 0 ? -1 : outside(inner, ' as ', 0), type;

    if (as < 0)
      return name;
    type = inner.slice(0, as).replace(/^(&mut |&|\*const |\*mut )+/, '');
    if (/^([A-Z]\d*|\{[^}]*\})$/.test(type))
      return inner.slice(as + 4) + name.slice(end);
    return (/^[\w:{}#<>]+$/.test(type) ? type : '<' + inner.slice(0, as) + '>') + name.slice(end);
  }

  // The forms of a name, each shorter than the one before.
  function forms_of(name) {
    var groups = groups_of(name), forms = [name], last = groups && groups[groups.length - 1], begin = 0;
    var plain = !last || name[last[0]] !== '(' || last[2]; // no parameters: not of C++

    for (var i = 0; !plain && (i = outside(name, ' ', i)) >= 0 && i < last[0]; i++) {
      if (/operator$/.test(name.slice(0, i)))
        break;
      begin = i + 1;
    }
    for (var form = 1; groups && form < 5; form++) {
      var out = '', at = begin;

      groups.forEach(function (g) {
        var calls = name[g[0]] === '(', own = !g[2] && ends_path(name, g[1]);

        if (g[0] < at || (calls ? g[2] : form < (own ? 4 : 2)))
          return;
        out += name.slice(at, g[0]).replace(/(::| )$/, '');
        at = g[1];
      });
      out += plain || name[at] !== ' ' ? name.slice(at) : '';
      forms.push(form < 3 ? out : without_trait(out));
    }
    return forms;
  }

  // The parts of a path: "a", "B", "c::{closure}::<u8>".
  function parts_of(name) {
    var parts = [], from = 0;

    for (var i = 0; (i = outside(name, '::', i)) >= 0; i += 2)
      if (i > from && !/[{<]/.test(name[i + 2] || '<')) {
        parts.push(name.slice(from, i));
        from = i + 2;
      }
    parts.push(name.slice(from));
    return parts;
  }

  // The fullest form of a name that fits into `room` characters; null: none does.
  function fitting(name, room) {
    var forms = forms_of(name);

    for (var form = 0; form < forms.length; form++) {
      var parts = parts_of(forms[form]), typed = /^[A-Z<]/.test(parts[parts.length - 2]);

      if (Array.from(forms[form]).length <= room)
        return forms[form];
      while (form > 2 && parts.length > (form === 3 && typed ? 2 : 1)) {
        parts.shift();
        if (Array.from(parts.join('::')).length <= room)
          return parts.join('::');
      }
    }
    return null;
  }

  // The last part of the shortest form.
  function last(name) {
    return parts_of(forms_of(name).pop()).pop();
  }

  return {fitting: fitting, last: last};
}());
