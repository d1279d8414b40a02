(function () {
  'use strict';

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
    var input, output, column;

    // Numbers begin with the greatest, names with the first; the same head again turns it round.
    function sort(column) {
      var head = heads[column], numeric = head.classList.contains('n');
      var now = head.getAttribute('aria-sort');
      var down = now ? now === 'ascending' : numeric, keyed;

      heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      keyed = rows.map(function (row) {
        var text = row.cells[column].textContent;

        return {row: row, key: numeric ? number(text) : text.toLowerCase()};
      });
      keyed.sort(function (a, b) { return down ? compare(b.key, a.key) : compare(a.key, b.key); });
      rows = keyed.map(function (one) { return one.row; });
      rows.forEach(function (row) { body.appendChild(row); });
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
        var on = regex.test(name.textContent) || place !== null && regex.test(place.textContent);

        row.hidden = !on;
        n += on ? 1 : 0;
        sum += on && measure >= 0 ? number(row.cells[measure].textContent) : 0;
      });
      output.textContent = text && grouped(n) + ' of ' + grouped(rows.length) + ' ' + table.dataset.what +
        (total > 0 ? ', ' + (100 * sum / total).toFixed(1) + ' % of ' + heads[measure].textContent : '');
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

    function add_filter() {
      var line = document.createElement('p');

      line.className = 'filter';
      table.parentNode.before(line);
      input = make('input', line, {
        type: 'search', placeholder: 'Filter: a regular expression (press /)',
        'aria-label': 'Filter', spellcheck: 'false'
      });
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
    return input;
  }

  // A link to what is folded unfolds it.
  function unfold() {
    var id = location.hash.slice(1), target = id && document.getElementById(id);

    if (target && target.tagName === 'DETAILS') {
      target.open = true;
      target.scrollIntoView();
      target.querySelector('summary').focus();
    }
  }

  var inputs = Array.from(document.querySelectorAll('table.sortable')).map(setup);
  var closed = [];

  document.addEventListener('keydown', function (e) {
    if (e.key === '/' && !e.ctrlKey && !e.metaKey && !is_editing(e.target) &&
        !e.target.closest('svg') && inputs[0]) {
      e.preventDefault();
      inputs[0].focus();
    }
  });
  window.addEventListener('hashchange', unfold);
  unfold();
  // All is printed, whatever is folded.
  window.addEventListener('beforeprint', function () {
    closed = Array.from(document.querySelectorAll('details:not([open])'));
    closed.forEach(function (one) { one.open = true; });
  });
  window.addEventListener('afterprint', function () {
    closed.forEach(function (one) { one.open = false; });
  });
}());
