(function () {
  'use strict';
  var HTML = 'http://www.w3.org/1999/xhtml';
  var script = document.currentScript;
  var svg = script && script.closest('svg') || document.documentElement;
  var geometry = svg.getAttribute('data-geometry').split(' ').map(Number);
  var LEFT = geometry[0], WIDTH = geometry[1], CHAR = geometry[2], BASE = geometry[3];
  var detail = svg.querySelector('.detail'), found = svg.querySelector('.found');
  var reset = svg.querySelector('.reset'), field = document.createElementNS(HTML, 'input');
  var frames = [], path = [], root, zoomed, current = null;

  function add(g) {
    var v = g.getAttribute('data-v').split(' ').map(Number), depth = v[0];
    var lines = g.querySelector('title').textContent.split('\n');
    var frame = {
      g: g, rect: g.querySelector('rect'), text: g.querySelector('text'),
      index: frames.length, depth: depth, start: v[1], value: v[2],
      parent: depth ? path[depth - 1] : null,
      name: lines[0], detail: lines.join('  \u00b7  '), hit: false
    };

    path[depth] = frame;
    frames.push(frame);
    g.addEventListener('click', function () { zoom(frame); });
    g.addEventListener('mouseenter', function () {
      detail.textContent = fit(frame.detail, WIDTH);
    });
    g.addEventListener('mouseleave', function () { detail.textContent = ''; });
  }

  // The part of a text that fits: its end says more than its beginning.
  function fit(text, width) {
    var room = Math.floor(width / CHAR), all = Array.from(text);
    var head = Math.floor((room - 1) / 2), tail = room - 1 - head;

    if (all.length <= room)
      return text;
    if (room < 3)
      return '';
    return all.slice(0, head).join('') + '\u2026' + all.slice(all.length - tail).join('');
  }

  // A name without the contents of brackets behind a word; `bare`: without the brackets, too.
  function brief(name, bare) {
    var symbol = /operator(<=>|<<=|>>=|->\*?|\(\)|<<|>>|<=|>=|<|>)/y;
    var out = '', open = [], within = 0;

    for (var i = 0; i < name.length; i++) {
      var c = name[i], before = i ? name[i - 1] : ' ', took = null;

      symbol.lastIndex = i;
      if (c === 'o' && !/\w/.test(before) && (took = symbol.exec(name))) {
        out += within ? '' : took[0];
        i += took[0].length - 1;
      } else if (c === '<' || c === '(') {
        var group = /[\w$\u0080-\uffff]/.test(before) || name[i + 1] !== ')' &&
          (c === '(' ? /[>)\]}]/.test(before) : before === ':' && i > 1);

        if (group && !within && bare)
          out = out.replace(/(::)?$/, '\u2026');
        else if (!within)
          out += group ? c + '\u2026' : c;
        open.push(group);
        within += group;
      } else if (c === '>' && before !== '-' || c === ')') {
        if (!open.length)
          return name;
        group = open.pop();
        within -= group;
        out += within || bare && group ? '' : c;
      } else if (!within) {
        out += c;
      }
    }
    return open.length ? name : out.replace(/\u2026+/g, '\u2026');
  }

  // The name itself is cut last.
  function label_of(name, width) {
    var room = Math.floor(width / CHAR), text = name;

    for (var bare = 0; bare < 2 && Array.from(text).length > room && room > 2; bare++)
      text = brief(name, bare);
    if (bare === 2 && Array.from(text).length > room)
      text = text.replace(/\u2026$/, '');
    return fit(text, width);
  }

  function place(frame, x, width) {
    var label = label_of(frame.name.replace(/ \(inlined\)$/, ''), width - 6);

    frame.g.style.display = '';
    frame.rect.setAttribute('x', x);
    frame.rect.setAttribute('width', width);
    if (!frame.text && label) {
      frame.text = document.createElementNS(svg.namespaceURI, 'text');
      frame.text.setAttribute('y', Number(frame.rect.getAttribute('y')) + BASE);
      frame.g.appendChild(frame.text);
    }
    if (frame.text) {
      frame.text.setAttribute('x', x + 3);
      frame.text.textContent = label;
    }
  }

  // Makes the frame as wide as the picture, frames below it as wide, frames on it in proportion.
  function zoom(target) {
    var scale = WIDTH / target.value, below = new Set();

    for (var f = target.parent; f; f = f.parent)
      below.add(f);
    frames.forEach(function (frame) {
      frame.inside = frame === target || frame.parent !== null && frame.parent.inside;
      frame.g.classList.toggle('below', below.has(frame));
      if (below.has(frame))
        place(frame, LEFT, WIDTH);
      else if (frame.inside)
        place(frame, LEFT + (frame.start - target.start) * scale, frame.value * scale);
      else
        frame.g.style.display = 'none';
    });
    zoomed = target;
    reset.classList.toggle('on', target !== root);
    count();
  }

  // The share of the view that was found; frames on a found one are part of it.
  function count() {
    var sum = 0, n = 0;

    frames.forEach(function (frame) {
      var hit = frame.hit && frame.inside, parent = frame.parent;

      frame.covered = parent !== null && parent.inside && (parent.covered || parent.hit);
      n += hit ? 1 : 0;
      sum += hit && !frame.covered ? frame.value : 0;
    });
    sum = zoomed.value ? 100 * sum / zoomed.value : 0;
    found.textContent = field.value && n + ' found, ' + sum.toFixed(2) + ' %';
  }

  function search() {
    var text = field.value, regex;

    try {
      regex = new RegExp(text, 'i');
    } catch (e) {
      regex = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
    }
    frames.forEach(function (frame) {
      frame.hit = text !== '' && frame !== root && regex.test(frame.name);
      frame.g.classList.toggle('hit', frame.hit);
    });
    count();
  }

  function in_view(frame) {
    return frame.g.style.display !== 'none';
  }

  // The frame that keys move.
  function select(frame) {
    if (current)
      current.g.classList.remove('current');
    current = frame;
    frame.g.classList.add('current');
    frame.g.scrollIntoView({block: 'nearest'});
    detail.textContent = fit(frame.detail, WIDTH);
  }

  // The next frame on that side that the test accepts; frames on a frame come after it.
  function next(from, by, wanted) {
    while (frames[from += by])
      if (in_view(frames[from]) && wanted(frames[from]))
        return frames[from];
    return null;
  }

  function towards(key) {
    var frame = current || root, child = frames[1];
    var rises = !child || Number(child.rect.getAttribute('y')) < root.rect.getAttribute('y');

    if (key === 'ArrowLeft' || key === 'ArrowRight')
      return next(frame.index, key === 'ArrowLeft' ? -1 : 1, function (other) {
        return other.depth === frame.depth;
      });
    if ((key === 'ArrowUp') !== rises)
      return frame.parent;
    return next(frame.index, 1, function (other) { return other.parent === frame; });
  }

  // True where the key leads to a frame.
  function walk(key) {
    var frame = /^Arrow/.test(key) ? towards(key) : null;

    if (frame)
      select(frame);
    else if (key === 'Enter' && current && in_view(current))
      zoom(current);
    return frame !== null;
  }

  // Enter in the field leads to the first frame that was found.
  function take_found() {
    var frame = next(-1, 1, function (other) { return other.hit && other.inside; });

    field.blur();
    svg.focus();
    if (frame)
      select(frame);
  }

  function press(e) {
    if (e.key === '/' && document.activeElement !== field) {
      e.preventDefault();
      field.focus();
    } else if (e.key === 'Escape' && field.value) {
      field.value = '';
      search();
    } else if (e.key === 'Escape') {
      field.blur();
      zoom(root);
    } else if (document.activeElement === field) {
      if (e.key === 'Enter')
        take_found();
    } else if (!e.ctrlKey && !e.metaKey && !e.altKey && walk(e.key)) {
      e.preventDefault();
    }
  }

  svg.querySelectorAll('.frames > g').forEach(add);
  root = frames[0];
  // The field is HTML within SVG, made here: without a script nothing could search.
  field.setAttribute('type', 'search');
  field.setAttribute('placeholder', 'Search: a regular expression');
  field.setAttribute('aria-label', 'Search');
  svg.querySelector('foreignObject').appendChild(field);
  field.addEventListener('input', search);
  reset.addEventListener('click', function () { zoom(root); });
  // In a page, the picture takes keys only where it has the focus.
  (svg === document.documentElement ? document : svg).addEventListener('keydown', press);
  svg.classList.add('live');
  zoom(root);
}());
