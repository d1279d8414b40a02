(function () {
  'use strict';
  // Colours Rust in sources: a small tokenizer, which needs no more than the lines that are shown.
  var WORDS = new Set(('as async await break const continue crate dyn else enum extern false fn for if impl in ' +
    'let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where ' +
    'while').split(' '));
  var TOKEN = new RegExp([
    '(//.*)',                                           // comments
    '(/\\*)',
    '(b?r(?=#*")(#*)"|b?")',                            // the beginnings of strings
    '(b?\'(?:\\\\(?:u\\{[^}]*\\}|x..|.)|[^\\\\\'])\'|\'\\w+)', // characters, lifetimes
    '(\\b\\d[\\w]*(?:\\.\\d[\\w]*)?)',                  // numbers
    '(\\b[A-Za-z_]\\w*!?(?!=))',                        // words, and macros
    '(#!?\\[[^\\]]*\\])'                                // attributes
  ].join('|'), 'g');

  // The end of what was begun: a block comment of some depth, or a string. -1: it goes on.
  function end_of(text, at, state) {
    var part = /\/\*|\*\//g, match;

    if (state.comment) {
      part.lastIndex = at;
      while (state.comment && (match = part.exec(text)) !== null)
        state.comment += match[0] === '/*' ? 1 : -1;
      return state.comment ? -1 : part.lastIndex;
    }
    if (state.raw !== null) {
      match = text.indexOf('"' + state.raw, at);
      return match < 0 ? -1 : match + 1 + state.raw.length;
    }
    for (; at < text.length && text[at] !== '"'; at++)
      at += text[at] === '\\' ? 1 : 0;
    return at < text.length ? at + 1 : -1;
  }

  function word_kind(word) {
    return word.slice(-1) === '!' ? 'm' : WORDS.has(word) ? 'w' : /^[A-Z]/.test(word) ? 'y' : '';
  }

  // A line as [class, text] pairs; `state` goes on to the next line. Classes: c comment, t text, l literal,
  // w word, m macro or attribute, y type; '' is the rest.
  function tokens(text, state) {
    var list = [], at = 0, match, end, kind;

    function put(name, to) {
      if (to > at)
        list.push([name, text.slice(at, to)]);
      at = to;
    }

    function go_on(from) {
      kind = state.comment ? 'c' : 't';
      end = end_of(text, from, state);
      put(kind, end < 0 ? text.length : end);
      if (end >= 0)
        state.comment = state.text = 0;
    }

    if (state.comment || state.text)
      go_on(0);
    TOKEN.lastIndex = at;
    while (at < text.length && (match = TOKEN.exec(text)) !== null) {
      put('', match.index);
      if (match[2] || match[3]) {
        state.comment = match[2] ? 1 : 0;
        state.text = match[3] ? 1 : 0;
        state.raw = match[3] && /r/.test(match[3]) ? match[4] : null;
        go_on(TOKEN.lastIndex);
        TOKEN.lastIndex = at;
      } else {
        kind = match[1] ? 'c' : match[5] || match[6] ? 'l' : match[8] ? 'm' : word_kind(match[7]);
        put(kind, TOKEN.lastIndex);
      }
    }
    put('', text.length);
    return list;
  }

  // Colours the lines of a function's source that are Rust, once.
  function highlight(panel) {
    var rust = false, state = {comment: 0, text: 0, raw: null};

    if (panel.classList.contains('coloured'))
      return;
    panel.classList.add('coloured');
    panel.querySelectorAll('.lines tbody tr').forEach(function (row) {
      var cell = row.querySelector('.code'), text = cell.textContent;

      if (row.className === 'file' || row.className === 'gap') {
        rust = row.className === 'file' ? /\.rs$/.test(text) : rust;
        state = {comment: 0, text: 0, raw: null};
      } else if (rust) {
        cell.textContent = '';
        tokens(text, state).forEach(function (token) {
          if (token[0])
            span(cell, 't' + token[0]).textContent = token[1];
          else
            cell.appendChild(document.createTextNode(token[1]));
        });
      }
    });
  }

  function span(parent, name) {
    var made = document.createElement('span');

    made.className = name;
    return parent.appendChild(made);
  }

  function highlight_open() {
    document.querySelectorAll('#source details[open]').forEach(highlight);
  }

  // A panel is coloured when it is unfolded first.
  document.addEventListener('toggle', highlight_open, true);
  window.addEventListener('beforeprint', function () {
    document.querySelectorAll('#source details').forEach(highlight);
  });
  highlight_open();
}());
