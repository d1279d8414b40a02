(function () {
  /* global short_names */
  'use strict';
  var HTML = 'http://www.w3.org/1999/xhtml';
  var script = document.currentScript;
  var svg = script && script.closest('svg') || document.documentElement;
  var in_page = svg !== document.documentElement;
  var geometry = svg.getAttribute('data-geometry').split(' ').map(Number);
  var LEAST = 700; // the page's style has it too: in a narrower place, the picture is scrolled
  var LEFT = geometry[0], WIDTH = geometry[1], CHAR = geometry[2], BASE = geometry[3], ROW = 18;
  var full = Number(svg.getAttribute('height')), height = full;
  var ground = svg.querySelector('.ground'), found = svg.querySelector('.found');
  var legend = svg.querySelector('.legend'), bar = svg.querySelector('.bar');
  var detail = svg.querySelector('.detail'), numbers = svg.querySelector('.numbers');
  var controls = svg.querySelector('foreignObject'), plain = svg.querySelector('.frames');
  var field = element('input', 'search'), reset = button('Reset', 'Escape: all call paths');
  var icicle = button('Icicle', 'i: the root on top, or at the bottom');
  var merge = button('Merge', 'm: all paths of the function as one, with its callers and callees');
  var frames = [], path = [], root, zoomed, current = null;
  var shown = frames, levels = 0, top = Infinity, rises, flipped = false, merged = null, group = null;

  function element(tag, name) {
    var made = document.createElementNS(HTML, tag);

    made.setAttribute('class', name);
    return made;
  }

  function button(text, title) {
    var made = element('button', text.toLowerCase());

    made.textContent = text;
    made.setAttribute('type', 'button');
    made.setAttribute('title', title);
    return made;
  }

  function add(g) {
    var v = g.getAttribute('data-v').split(' ').map(Number), depth = v[0];
    var title = g.querySelector('title'), lines = title.textContent.split('\n');
    var frame = {
      g: g, rect: g.querySelector('rect'), text: g.querySelector('text'),
      index: frames.length, depth: depth, start: v[1], value: v[2], self: v[3],
      parent: depth ? path[depth - 1] : null, children: [], f: g.getAttribute('data-f'),
      chained: (g.getAttribute('data-c') || '').match(/\d+/g) || [],
      name: lines[0].replace(/ \(inlined\)$/, ''), inlined: / \(inlined\)$/.test(lines[0]),
      title: lines[0], detail: lines.slice(1).join('  \u00b7  '), hit: false
    };
    var note = document.createElementNS(svg.namespaceURI, 'desc');

    // A browser's own tooltips are slow, and hide what is below them: the bar has all that.
    note.textContent = title.textContent;
    title.replaceWith(note);
    path[depth] = frame;
    frames.push(frame);
    if (frame.parent)
      frame.parent.children.push(frame);
    levels = Math.max(levels, depth + 1);
    top = Math.min(top, Number(frame.rect.getAttribute('y')));
    listen(frame);
  }

  function listen(frame) {
    frame.g.addEventListener('click', function () { take(frame); });
    frame.g.addEventListener('dblclick', function () { tell(frame); });
    frame.g.addEventListener('mouseenter', function () { show(frame); });
    frame.g.addEventListener('mouseleave', function () { show(current); });
  }

  // Asks the page to show a function's source.
  function tell(frame) {
    if (in_page && frame && frame.f !== null)
      svg.dispatchEvent(new CustomEvent('function', {detail: frame.f, bubbles: true}));
  }

  // A click zooms; where paths are merged it leads to another function.
  function take(frame) {
    if (!merged)
      zoom(frame);
    else if (frame.f !== null && frame.f !== merged)
      merge_at(frame.f);
    changed();
  }

  function changed() {
    if (in_page)
      svg.dispatchEvent(new CustomEvent('flame', {bubbles: true}));
  }

  // Details of a frame, at the lower edge of what can be seen.
  function show(frame) {
    detail.textContent = frame ? fit(frame.title, WIDTH) : '';
    numbers.textContent = frame ? fit(frame.detail, WIDTH) : '';
    bar.classList.toggle('on', Boolean(frame));
    if (frame)
      place_bar();
  }

  function place_bar() {
    var box = svg.getBoundingClientRect(), scale = box.height / height || 1;
    var y = Math.min(height, (window.innerHeight - box.top) / scale) - 40;

    bar.setAttribute('transform', 'translate(0,' + Math.max(0, y) + ')');
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

  function label_of(name, width) {
    var room = Math.floor(width / CHAR);

    return short_names.fitting(name, room) || fit(short_names.last(name), width);
  }

  function y_of(frame) {
    return top + ROW * (rises !== flipped ? levels - 1 - frame.depth : frame.depth);
  }

  function place(frame, x, width) {
    var label = label_of(frame.name, width - 6), y = y_of(frame);

    frame.g.style.display = '';
    frame.rect.setAttribute('x', x);
    frame.rect.setAttribute('y', y);
    frame.rect.setAttribute('width', width);
    if (!frame.text && label) {
      frame.text = document.createElementNS(svg.namespaceURI, 'text');
      frame.g.appendChild(frame.text);
    }
    if (frame.text) {
      frame.text.setAttribute('x', x + 3);
      frame.text.setAttribute('y', y + BASE);
      frame.text.textContent = label;
    }
  }

  // The picture is as high as its frames need.
  function set_height(rows) {
    var more = ROW * (rows - levels);

    height = full + more;
    ground.setAttribute('height', height);
    legend.setAttribute('transform', 'translate(0,' + more + ')');
    svg.setAttribute('width', WIDTH + 2 * LEFT);
    svg.setAttribute('height', height);
    svg.setAttribute('viewBox', '0 0 ' + (WIDTH + 2 * LEFT) + ' ' + height);
  }

  // Makes the frame as wide as the picture, frames below it as wide, frames on it in proportion.
  function zoom(target) {
    var scale = WIDTH / target.value, below = new Set();

    leave_merged();
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

  // All paths of a function as one: the outermost frames of it, which add up.
  function instances(f) {
    return frames.filter(function (frame) {
      for (var p = frame.parent; p; p = p.parent)
        if (p.f === f)
          return false;
      return frame.f === f;
    });
  }

  function sum(items) {
    return items.reduce(function (total, one) { return total + one.value; }, 0);
  }

  // Frames of one function into one, those of greatest cost first.
  function together(items) {
    var by = new Map();

    items.forEach(function (one) {
      var key = (one.frame.f === null ? one.frame.title : one.frame.f) + (one.frame.inlined ? 'i' : ''), node = by.get(key);

      if (!node)
        by.set(key, node = {frame: one.frame, value: 0, items: []});
      node.value += one.value;
      node.items.push(one);
    });
    return Array.from(by.values()).sort(function (a, b) { return b.value - a.value; });
  }

  function callees_of(items) {
    var all = [];

    items.forEach(function (one) {
      one.frame.children.forEach(function (child) { all.push({frame: child, value: child.value}); });
    });
    return together(all);
  }

  function callers_of(items) {
    return together(items.filter(function (one) { return one.frame.parent && one.frame.parent !== root; })
      .map(function (one) { return {frame: one.frame.parent, value: one.value}; }));
  }

  // Lays nodes out side by side, and what is on them.
  function lay_out(nodes, next, depth, x, scale, list) {
    nodes.forEach(function (node) {
      var width = node.value * scale;

      if (width >= 0.5) {
        list.push({node: node, depth: depth, x: x, width: width});
        lay_out(next(node.items), next, depth + (depth < 0 ? -1 : 1), x, scale, list);
      }
      x += width;
    });
  }

  function draw_merged(one, y) {
    var from = one.node.frame, g = from.g.cloneNode(true), frame;

    frame = {
      g: g, rect: g.querySelector('rect'), text: g.querySelector('text'), f: from.f, name: from.name,
      title: from.title, value: one.node.value, parent: null, depth: one.depth, index: shown.length,
      inside: true, hit: false, inlined: from.inlined,
      detail: grouped(one.node.value) + ' (' + (100 * one.node.value / root.value).toFixed(2) + ' %) ' +
        (one.depth < 0 ? 'spent for it here' : one.depth ? 'spent by it here' : 'in all')
    };
    g.removeAttribute('data-v');
    g.setAttribute('class', (from.inlined ? 'i' : '') + (one.depth ? '' : ' current'));
    frame.depth = 0;
    place(frame, one.x, one.width);
    frame.rect.setAttribute('y', y);
    if (frame.text)
      frame.text.setAttribute('y', y + BASE);
    group.appendChild(g);
    shown.push(frame);
    listen(frame);
  }

  function grouped(n) {
    return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
  }

  function leave_merged() {
    if (group)
      group.remove();
    merged = group = null;
    shown = frames;
    plain.style.display = '';
    merge.classList.remove('on');
    set_height(levels);
  }

  // Callers rise above the function, callees hang below it; `flipped`, the other way round.
  function merge_at(f) {
    var all = instances(f), items, list = [], least = 0, most = 0, scale;

    if (!all.length)
      return;
    items = all.map(function (frame) { return {frame: frame, value: frame.value}; });
    scale = WIDTH / sum(all);
    leave_merged();
    list = [{node: {frame: all[0], value: sum(all)}, depth: 0, x: LEFT, width: WIDTH}];
    lay_out(callers_of(items), callers_of, -1, LEFT, scale, list);
    lay_out(callees_of(items), callees_of, 1, LEFT, scale, list);
    list.forEach(function (one) {
      one.depth *= flipped ? -1 : 1;
      least = Math.min(least, one.depth);
      most = Math.max(most, one.depth);
    });
    merged = f;
    shown = [];
    group = document.createElementNS(svg.namespaceURI, 'g');
    group.setAttribute('class', 'frames');
    plain.style.display = 'none';
    plain.after(group);
    set_height(most - least + 1);
    list.forEach(function (one) { draw_merged(one, top + ROW * (one.depth - least)); });
    current = null;
    merge.classList.add('on');
    reset.classList.add('on');
    search();
  }

  function flip() {
    flipped = !flipped;
    icicle.classList.toggle('on', flipped);
    if (merged)
      merge_at(merged);
    else
      zoom(zoomed);
    changed();
  }

  function toggle_merged() {
    var frame = current || zoomed;

    if (merged)
      zoom(zoomed);
    else if (frame && frame.f !== null)
      merge_at(frame.f);
    else
      found.textContent = 'Click on a function first';
    changed();
  }

  function go_back() {
    zoom(root);
    changed();
  }

  // What the page keeps of the picture in its address, and what it knows of a function.
  function get_state() {
    return {
      z: zoomed === root ? '' : String(zoomed.index), m: merged || '', i: flipped ? '1' : '', q: field.value
    };
  }

  function set_state(state) {
    field.value = state.q || '';
    flipped = state.i === '1';
    icicle.classList.toggle('on', flipped);
    zoom(frames[Number(state.z || 0)] || root);
    if (state.m)
      merge_at(state.m);
    search();
  }

  function neighbours(f) {
    var all = instances(f), items = all.map(function (frame) { return {frame: frame, value: frame.value}; });

    function told(node) {
      return {f: node.frame.f, name: node.frame.title, value: node.value};
    }
    return all.length ? {
      name: all[0].name, value: sum(all), total: root.value, callers: callers_of(items).map(told),
      callees: callees_of(items).map(told),
      self: all.reduce(function (total, frame) { return total + frame.self; }, 0)
    } : null;
  }

  // The frame that a function shares with one that it is inlined into; null: none.
  function shared_by(f) {
    var frame = frames.find(function (one) { return one.chained.indexOf(f) >= 0; });

    return frame ? {f: frame.f, name: frame.title} : null;
  }

  function functions() {
    var seen = new Map();

    frames.forEach(function (frame) {
      if (frame.f !== null && !seen.has(frame.f))
        seen.set(frame.f, frame.name);
    });
    return seen;
  }

  // The share of the view that was found; frames on a found one are part of it.
  function count() {
    var part = 0, n = 0;

    shown.forEach(function (frame) {
      var hit = frame.hit && frame.inside, parent = frame.parent;

      frame.covered = parent !== null && parent.inside && (parent.covered || parent.hit);
      n += hit ? 1 : 0;
      part += hit && !frame.covered ? frame.value : 0;
    });
    part = zoomed.value ? 100 * part / zoomed.value : 0;
    found.textContent = field.value && n + ' found' + (merged ? '' : ', ' + part.toFixed(2) + ' %');
  }

  function search() {
    var text = field.value, regex;

    try {
      regex = new RegExp(text, 'i');
    } catch (e) {
      regex = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
    }
    shown.forEach(function (frame) {
      frame.hit = text !== '' && frame !== root && regex.test(frame.name);
      frame.g.classList.toggle('hit', frame.hit);
    });
    count();
  }

  // The first that was found is scrolled to, where none can be seen.
  function scroll_to_hit() {
    var hits = shown.filter(function (frame) { return frame.hit && in_view(frame); });
    var seen = hits.some(function (frame) {
      var box = frame.rect.getBoundingClientRect();

      return box.top >= 0 && box.bottom <= window.innerHeight;
    });

    if (hits.length && !seen)
      hits[0].g.scrollIntoView({block: 'center', inline: 'nearest'});
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
    show(frame);
  }

  // The next frame on that side that the test accepts; frames on a frame come after it.
  function next(from, by, wanted) {
    while (shown[from += by])
      if (in_view(shown[from]) && wanted(shown[from]))
        return shown[from];
    return null;
  }

  function towards(key) {
    var frame = current || root;

    if (key === 'ArrowLeft' || key === 'ArrowRight')
      return next(frame.index, key === 'ArrowLeft' ? -1 : 1, function (other) {
        return other.depth === frame.depth;
      });
    if ((key === 'ArrowUp') !== (rises !== flipped))
      return frame.parent;
    return next(frame.index, 1, function (other) { return other.parent === frame; });
  }

  // True where the key leads to a frame.
  function walk(key) {
    var frame = /^Arrow/.test(key) && !merged ? towards(key) : null;

    if (frame)
      select(frame);
    else if (key === 'Enter' && current && in_view(current))
      take(current);
    return frame !== null;
  }

  // Enter in the field leads to the first frame that was found.
  function take_found() {
    field.blur();
    svg.focus();
    next_found(1, null);
  }

  // The next one that was found, or the one before; after the last comes the first.
  function next_found(by, from) {
    var accept = function (other) { return other.hit && other.inside; };
    var frame = next(from ? from.index : by > 0 ? -1 : shown.length, by, accept);

    if (frame)
      select(frame);
    else if (from)
      next_found(by, null);
  }

  var letters = {
    i: flip, m: toggle_merged, s: function () { tell(current || zoomed); },
    n: function () { next_found(1, current); }, N: function () { next_found(-1, current); }
  };

  function press(e) {
    if (e.key === '/' && document.activeElement !== field) {
      e.preventDefault();
      field.focus();
    } else if (e.key === 'Escape' && field.value) {
      field.value = '';
      search();
    } else if (e.key === 'Escape') {
      field.blur();
      go_back();
    } else if (document.activeElement === field) {
      if (e.key === 'Enter')
        take_found();
    } else if (e.ctrlKey || e.metaKey || e.altKey) {
      return;
    } else if (Object.prototype.hasOwnProperty.call(letters, e.key)) {
      letters[e.key]();
    } else if (walk(e.key)) {
      e.preventDefault();
    }
  }

  // In a page, the picture is as wide as its place.
  function resize() {
    var width = in_page ? svg.parentNode.clientWidth : 0;

    if (!width)
      return;
    width = Math.max(width, LEAST);
    WIDTH = width - 2 * LEFT;
    controls.setAttribute('width', Math.min(560, width - 2 * LEFT));
    controls.setAttribute('x', width - LEFT - controls.getAttribute('width'));
    found.setAttribute('x', width - LEFT);
    ground.setAttribute('width', width);
    bar.querySelector('rect').setAttribute('width', width);
    if (merged)
      merge_at(merged);
    else if (zoomed)
      zoom(zoomed);
  }

  svg.querySelectorAll('.frames > g').forEach(add);
  root = frames[0];
  rises = frames.length < 2 || Number(frames[1].rect.getAttribute('y')) < Number(root.rect.getAttribute('y'));
  // The controls are HTML within SVG, made here: without a script they could do nothing.
  field.setAttribute('type', 'search');
  field.setAttribute('placeholder', 'Search: a regular expression');
  field.setAttribute('aria-label', 'Search');
  [reset, icicle, merge].forEach(function (one) { controls.appendChild(one); });
  controls.appendChild(field);
  field.addEventListener('input', function () {
    search();
    scroll_to_hit();
    changed();
  });
  reset.addEventListener('click', go_back);
  icicle.addEventListener('click', flip);
  merge.addEventListener('click', toggle_merged);
  window.addEventListener('scroll', place_bar, {passive: true});
  window.addEventListener('resize', function () {
    resize();
    place_bar();
  });
  // In a page, the picture takes keys only where it has the focus.
  (in_page ? svg : document).addEventListener('keydown', press);
  svg.classList.add('live');
  svg.flame = {
    get: get_state, set: set_state, neighbours: neighbours, shared_by: shared_by, functions: functions,
    resize: resize
  };
  zoom(root);
  resize();
}());
