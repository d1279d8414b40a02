(function () {
  'use strict';
  var KINDS = [['o', 'your code'], ['d', 'dependencies'], ['s', 'standard library'], ['x', 'libc and others']];
  var tables = [], ready = false, svg = null, flame = null, chosen = '', tab = '';

  // Counts sort by number, what is no number ("inlined", "new", "-") below all of them.
  function number(text) {
    var value = Number(text.replace(/[,+]/g, ''));

    return text === '' || isNaN(value) ? -Infinity : value;
  }

  function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }

  function grouped(n) {
    return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
  }

  function make(name, parent, attributes) {
    var element = document.createElement(name);

    Object.keys(attributes).forEach(function (key) {
      element.setAttribute(key, attributes[key]);
    });
    return parent.appendChild(element);
  }

  function is_editing(element) {
    return /^(INPUT|TEXTAREA|SELECT)$/i.test(element.tagName);
  }

  function setup(table) {
    var body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);
    var rows = Array.from(body.rows), measure = -1, total = 0;
    var input, output, column, kinds = new Set(), sorted = '';

    // Numbers begin with the greatest, names with the first; the same head again turns it round.
    function sort(column) {
      var head = heads[column], numeric = head.classList.contains('n');
      var now = head.getAttribute('aria-sort');
      var down = now ? now === 'ascending' : numeric, keyed;

      heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      sorted = column + (down ? 'd' : 'a');
      keyed = rows.map(function (row) {
        var text = row.cells[column].textContent;

        return {row: row, key: numeric ? number(text) : text.toLowerCase()};
      });
      keyed.sort(function (a, b) { return down ? compare(b.key, a.key) : compare(a.key, b.key); });
      rows = keyed.map(function (one) { return one.row; });
      rows.forEach(function (row) { body.appendChild(row); });
      keep_state();
    }

    function filter() {
      var n = 0, sum = 0, text = input.value, regex;

      try {
        regex = new RegExp(text, 'i');
      } catch (e) {
        regex = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
      }
      rows.forEach(function (row) {
        var name = row.querySelector('.name'), place = row.querySelector('.place');
        var on = (regex.test(name.textContent) || place !== null && regex.test(place.textContent)) &&
          (!kinds.size || kinds.has(row.getAttribute('data-k')));

        row.hidden = !on;
        n += on ? 1 : 0;
        sum += on && measure >= 0 ? number(row.cells[measure].textContent) : 0;
      });
      output.textContent = (text || kinds.size) &&
        grouped(n) + ' of ' + grouped(rows.length) + ' ' + table.dataset.what +
        (total > 0 ? ', ' + (100 * sum / total).toFixed(1) + ' % of ' + heads[measure].textContent : '');
      keep_state();
    }

    function prepare(head, column) {
      var button = document.createElement('button');

      if (head.hasAttribute('data-total')) {
        measure = column;
        total = Number(head.getAttribute('data-total'));
      }
      button.type = 'button';
      button.textContent = head.textContent;
      head.textContent = '';
      head.appendChild(button);
      button.addEventListener('click', function () { sort(column); });
    }

    // A chip for each kind of code that is there; pressed ones are shown, or all where none is.
    function add_chips(line) {
      var there = KINDS.filter(function (kind) {
        return rows.some(function (row) { return row.getAttribute('data-k') === kind[0]; });
      });

      if (there.length > 1)
        there.forEach(function (kind) {
          var chip = make('button', line, {
            type: 'button', class: 'chip', 'aria-pressed': 'false', 'data-chip': kind[0]
          });

          make('i', chip, {class: kind[0] + '0'});
          chip.appendChild(document.createTextNode(kind[1]));
          chip.addEventListener('click', function () { press(chip, !kinds.has(kind[0])); });
        });
    }

    function press(chip, on) {
      kinds[on ? 'add' : 'delete'](chip.getAttribute('data-chip'));
      chip.setAttribute('aria-pressed', String(on));
      filter();
    }

    function get_state() {
      return {q: input ? input.value : '', k: Array.from(kinds).join(''), s: sorted};
    }

    function set_state(state) {
      var at = parseInt(state.s, 10);

      if (heads[at]) {
        heads.forEach(function (head) { head.removeAttribute('aria-sort'); });
        if (state.s.slice(-1) === (heads[at].classList.contains('n') ? 'a' : 'd'))
          sort(at);
        sort(at);
      }
      if (!input)
        return;
      input.value = state.q || '';
      input.parentNode.querySelectorAll('.chip').forEach(function (chip) {
        press(chip, (state.k || '').indexOf(chip.getAttribute('data-chip')) >= 0);
      });
      filter();
    }

    function add_filter() {
      var line = document.createElement('p');

      line.className = 'filter';
      table.parentNode.before(line);
      input = make('input', line, {
        type: 'search', placeholder: 'Filter: a regular expression (press /)',
        'aria-label': 'Filter', spellcheck: 'false'
      });
      add_chips(line);
      output = make('output', line, {'aria-live': 'polite'});
      input.addEventListener('input', filter);
      input.addEventListener('keydown', function (e) {
        if (e.key !== 'Escape')
          return;
        if (input.value === '')
          input.blur();
        input.value = '';
        filter();
      });
    }

    // What the rows are sorted by as they come.
    function is_sorted(head, column) {
      var last = Infinity;

      return head.classList.contains('n') && rows.every(function (row) {
        var value = number(row.cells[column].textContent), down = value <= last;

        last = value;
        return down;
      });
    }

    heads.forEach(prepare);
    column = heads.findIndex(is_sorted);
    if (column >= 0)
      heads[column].setAttribute('aria-sort', 'descending');
    if (body.querySelector('.name'))
      add_filter();
    return {table: table, input: input, get: get_state, set: set_state};
  }

  /*--- Tabs, and what the address keeps ---*/

  function links() {
    return Array.from(document.querySelectorAll('nav a'));
  }

  function show_tab(id) {
    var first = links().length ? links()[0].hash : '#' + id;

    tab = id;
    document.querySelectorAll('main > section').forEach(function (section) {
      section.classList.toggle('on', section.id === id || section.id === 'summary' && '#' + id === first);
    });
    links().forEach(function (link) {
      if (link.hash === '#' + id)
        link.setAttribute('aria-current', 'page');
      else
        link.removeAttribute('aria-current');
    });
    if (id === 'flame' && flame)
      flame.resize();
  }

  // "#costs?q=main&k=od": the tab, and what is chosen in it.
  function write_state() {
    var state = {}, text;

    tables.forEach(function (one) {
      if (one.table.closest('section').id === tab)
        state = one.get();
    });
    if (tab === 'flame' && flame)
      state = flame.get();
    if (tab === 'sandwich')
      state = {f: chosen};
    text = Object.keys(state).filter(function (key) { return state[key]; }).map(function (key) {
      return key + '=' + encodeURIComponent(state[key]);
    }).join('&');
    return '#' + tab + (text ? '?' + text : '');
  }

  function read_state(hash) {
    var parts = hash.slice(1).split('?'), state = {};

    (parts[1] || '').split('&').forEach(function (pair) {
      var at = pair.indexOf('='), value = pair.slice(at + 1);

      try {
        state[pair.slice(0, at)] = decodeURIComponent(value);
      } catch (e) {
        state[pair.slice(0, at)] = value;
      }
    });
    return {id: parts[0], state: state};
  }

  function keep_state() {
    if (ready)
      window.history.replaceState(null, '', write_state());
  }

  function follow() {
    var to = read_state(location.hash), target = to.id && document.getElementById(to.id), first, is_part;

    ready = false;
    if (target && target.tagName === 'DETAILS') {
      show_tab(target.closest('section').id);
      target.open = true;
      target.scrollIntoView();
      target.querySelector('summary').focus();
      return;
    }
    first = links()[0];
    is_part = target && target.parentNode === document.querySelector('main') && to.id !== 'summary';
    show_tab(is_part ? to.id : first ? first.hash.slice(1) : '');
    window.scrollTo(0, 0);
    tables.forEach(function (one) {
      if (one.table.closest('section').id === tab && location.hash.indexOf('?') > 0)
        one.set(to.state);
    });
    if (tab === 'flame' && flame)
      flame.set(to.state);
    if (tab === 'sandwich')
      sandwich(to.state.f);
    ready = true;
  }

  /*--- Sandwich ---*/

  function share(value, total) {
    return total > 0 ? (100 * value / total).toFixed(1) : '';
  }

  function bar_cell(row, value, total) {
    var cell = make('td', row, {class: 'n bar'});

    cell.style.setProperty('--p', share(value, total));
    cell.textContent = share(value, total);
  }

  function link_to(f, name, parent) {
    var link = make('a', parent, {href: '#sandwich?f=' + f});

    link.textContent = name;
  }

  function neighbour_table(parent, title, list, all, total, rest) {
    var body, row;

    make('h3', parent, {}).textContent = title;
    if (!list.length && !rest) {
      make('p', parent, {class: 'note'}).textContent = 'none';
      return;
    }
    body = make('tbody', make('table', make('div', parent, {class: 'wide'}), {class: 'neighbours'}), {});
    list.forEach(function (one) {
      var row = make('tr', body, kind_of(one.f));

      bar_cell(row, one.value, all);
      make('td', row, {class: 'n'}).textContent = grouped(one.value);
      link_to(one.f, one.name, make('td', row, {class: 'name'}));
    });
    if (rest > 0) {
      row = make('tr', body, {class: 'quiet'});
      bar_cell(row, rest, all);
      make('td', row, {class: 'n'}).textContent = grouped(rest);
      make('td', row, {class: 'name'}).textContent = 'in paths that are too narrow to be drawn, or from the outside';
    }
  }

  function kind_of(f) {
    var row = document.querySelector('tr[data-f="' + f + '"]'), kind = row && row.getAttribute('data-k');

    return kind ? {'data-k': kind} : {};
  }

  function sum(list) {
    return list.reduce(function (total, one) { return total + one.value; }, 0);
  }

  // How often a function was called, as the table of all functions has it.
  function calls_of(f) {
    var heads = Array.prototype.slice.call(document.querySelectorAll('#costs thead th'));
    var at = heads.map(function (head) { return head.textContent; }).indexOf('Calls');
    var row = document.querySelector('#costs tr[data-f="' + f + '"]');

    return at >= 0 && row ? row.cells[at].textContent : '';
  }

  function sandwich_heading(place, f, it) {
    var line = make('p', place, {class: 'chosen'}), button;

    Object.keys(kind_of(f)).forEach(function (key) { line.setAttribute(key, kind_of(f)[key]); });
    make('span', line, {class: 'name'}).textContent = it.name;
    make('span', line, {}).textContent = share(it.value, it.total) + ' % inclusive (' + grouped(it.value) + '), ' +
      share(it.self, it.total) + ' % self (' + grouped(it.self) + ')' + (calls_of(f) ? ', calls: ' + calls_of(f) : '');
    if (document.getElementById('s' + f))
      make('a', line, {href: '#s' + f}).textContent = 'source';
    button = make('a', line, {href: '#flame?m=' + f});
    button.textContent = 'as a flame graph';
  }

  function sandwich_missing(place, frame) {
    var note = make('p', place, {class: 'note'});

    note.textContent = frame ? 'This function is inlined, and drawn as one with its caller: ' :
      'This function has no path that is wide enough to be drawn.';
    if (frame)
      link_to(frame.f, frame.name, note);
  }

  // The callers and callees of a function; the costliest of own code, where none is chosen.
  function sandwich(f) {
    var section = document.getElementById('sandwich'), place = section && section.querySelector('.sandwich'), it;

    if (!flame || !section)
      return;
    if (!place) {
      place_chooser(section);
      place = make('div', section, {class: 'sandwich'});
    }
    chosen = f || chosen || first_function();
    it = flame.neighbours(chosen);
    place.textContent = '';
    section.querySelector('.filter input').value = it ? it.name : '';
    if (!it) {
      sandwich_missing(place, flame.shared_by(chosen));
      return;
    }
    sandwich_heading(place, chosen, it);
    neighbour_table(place, 'Callers', it.callers, it.value, it.total, it.callers.length ? it.value - sum(it.callers) : 0);
    neighbour_table(place, 'Callees', it.callees, it.value, it.total, it.value - it.self - sum(it.callees));
  }

  function first_function() {
    var row = document.querySelector('#own tr[data-f]') || document.querySelector('#costs tr[data-f]');

    return row ? row.getAttribute('data-f') : '';
  }

  function place_chooser(section) {
    var line = make('p', section, {class: 'filter'}), names = new Map(), list;
    var input = make('input', line, {
      type: 'search', list: 'names', placeholder: 'Function', 'aria-label': 'Function', spellcheck: 'false'
    });

    list = make('datalist', line, {id: 'names'});
    flame.functions().forEach(function (name, f) {
      if (!names.has(name))
        make('option', list, {value: name});
      names.set(name, f);
    });
    input.addEventListener('change', function () {
      if (names.has(input.value))
        location.hash = '#sandwich?f=' + names.get(input.value);
    });
  }

  // Where a function's name leads: to its source, or else to its callers.
  function go_to(f) {
    location.hash = document.getElementById('s' + f) ? '#s' + f : '#sandwich?f=' + f;
  }

  function link_names() {
    document.querySelectorAll('.sortable tr[data-f] .name').forEach(function (cell) {
      cell.classList.add('leads');
    });
    document.querySelectorAll('.sortable tbody').forEach(function (body) {
      body.addEventListener('click', function (e) {
        var cell = e.target.closest('.leads');

        if (cell && !e.target.closest('a') && !String(window.getSelection()))
          go_to(cell.parentNode.getAttribute('data-f'));
      });
    });
    document.querySelectorAll('#source details').forEach(function (panel) {
      var f = panel.getAttribute('data-f');

      if (flame && flame.neighbours(f))
        make('a', panel.querySelector('summary'), {href: '#sandwich?f=' + f, class: 'aside'}).textContent =
          'callers and callees';
    });
  }

  /*--- Light and dark ---*/

  var DARK = '(prefers-color-scheme:dark)', THEMES = ['system', 'light', 'dark'];

  function dark_rules() {
    var found = [];

    Array.from(document.styleSheets).forEach(function (style) {
      Array.from(style.cssRules).forEach(function (rule) {
        if (rule.media && /prefers-color-scheme/.test(rule.media.mediaText))
          found.push(rule);
      });
    });
    return found;
  }

  function add_theme() {
    var rules = dark_rules(), button = document.createElement('button'), at = 0;

    function set(index) {
      var theme = THEMES[index];

      at = index;
      rules.forEach(function (rule) {
        rule.media.mediaText = theme === 'dark' ? 'screen' : theme === 'light' ? 'not all' : DARK;
      });
      document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
      button.textContent = 'Theme: ' + theme;
      try {
        window.localStorage.setItem('cprof-theme', theme);
      } catch (e) {
        return;
      }
    }

    button.type = 'button';
    button.className = 'theme';
    button.addEventListener('click', function () { set((at + 1) % THEMES.length); });
    document.querySelector('header').appendChild(button);
    try {
      at = Math.max(0, THEMES.indexOf(window.localStorage.getItem('cprof-theme')));
    } catch (e) {
      at = 0;
    }
    set(at);
  }

  /*--- The page ---*/

  var closed = [];

  function top_height() {
    var header = document.querySelector('header');

    if (header)
      document.documentElement.style.setProperty('--top', header.offsetHeight + 'px');
  }

  function begin() {
    var part, link;

    svg = document.querySelector('#flame svg');
    flame = svg && svg.flame || null;
    tables = Array.from(document.querySelectorAll('table.sortable')).map(setup);
    if (!document.querySelector('main'))
      return;
    document.body.classList.remove('loading');
    part = document.getElementById('sandwich');
    link = document.querySelector('nav a[href="#sandwich"]');
    if (part && link && flame)
      part.hidden = link.hidden = false;
    link_names();
    add_theme();
    top_height();
    window.addEventListener('resize', top_height);
    document.addEventListener('function', function (e) { go_to(e.detail); });
    document.addEventListener('flame', keep_state);
    window.addEventListener('hashchange', follow);
    follow();
  }

  document.addEventListener('keydown', function (e) {
    var here = tables.find(function (one) { return one.input && one.table.closest('section').id === tab; });

    if (e.key === '/' && !e.ctrlKey && !e.metaKey && !is_editing(e.target) && !e.target.closest('svg') && here) {
      e.preventDefault();
      here.input.focus();
    }
  });
  // All is printed, whatever is folded.
  window.addEventListener('beforeprint', function () {
    closed = Array.from(document.querySelectorAll('details:not([open])'));
    closed.forEach(function (one) { one.open = true; });
  });
  window.addEventListener('afterprint', function () {
    closed.forEach(function (one) { one.open = false; });
  });
  begin();
}());
