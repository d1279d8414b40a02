(function () {
  'use strict';
  // Tables are printed as lines of text, as wide as the paper, with an element for a name of the user's own
  // code only: browsers take milliseconds for each row of cells, and there may be thousands.
  var WIDTH = 132, LEAST = 12;

  // Where a text of more than `width` characters is cut: behind a blank, or a part of a path or name.
  function cut_of(text, width) {
    var at = width;

    while (at > width / 2 && !/[ /,]$|::$/.test(text.slice(0, at)))
      at--;
    return at > width / 2 ? at : width;
  }

  function wrap(text, width) {
    var lines = [], at;

    while (text.length > width) {
      at = cut_of(text, width);
      lines.push(text.slice(0, at));
      text = text.slice(at).replace(/^ /, '');
    }
    return lines.concat([text]);
  }

  // Numbers are as wide as they are, texts share what is left, the widest least.
  function widths_of(rows, numeric) {
    var widths = numeric.map(function (_, i) {
      return rows.reduce(function (most, row) { return Math.max(most, row[i].length); }, 0);
    });
    var texts = widths.map(function (_, i) { return i; }).filter(function (i) { return !numeric[i]; });
    var left = WIDTH - 2 * (widths.length - 1);

    widths.forEach(function (width, i) { left -= numeric[i] ? width : 0; });
    texts.sort(function (a, b) { return widths[a] - widths[b]; }).forEach(function (i, done) {
      widths[i] = Math.max(LEAST, Math.min(widths[i], Math.floor(left / (texts.length - done))));
      left -= widths[i];
    });
    return widths;
  }

  // The lines of a row, each of them a list of its cells.
  function lines_of(row, widths, numeric) {
    var cells = row.map(function (text, i) { return wrap(text, widths[i]); }), lines = [];
    var n = cells.reduce(function (most, cell) { return Math.max(most, cell.length); }, 0);

    function pad(cell, i, line) {
      var text = cell[line] || '';

      return numeric[i] ? text.padStart(widths[i]) : text.padEnd(widths[i]);
    }

    for (var line = 0; line < n; line++)
      lines.push(cells.map(function (cell, i) { return pad(cell, i, line); }));
    return lines;
  }

  function texts_of(row) {
    return Array.from(row.cells).map(function (cell) { return cell.textContent.trim(); });
  }

  function name_of(row) {
    return Array.from(row.cells).findIndex(function (cell) { return cell.classList.contains('name'); });
  }

  // Adds the lines to the element; those of column `marked` stand out.
  function put_lines(place, lines, marked) {
    var text = '';

    lines.forEach(function (cells) {
      if (marked < 0) {
        text += cells.join('  ').trimEnd() + '\n';
        return;
      }
      place.append(text + cells.slice(0, marked).concat(['']).join('  '));
      make('b', place).textContent = cells[marked];
      text = [''].concat(cells.slice(marked + 1)).join('  ').trimEnd() + '\n';
    });
    place.append(text);
  }

  function make(name, parent) {
    return parent.appendChild(document.createElement(name));
  }

  function listing(table) {
    var heads = Array.from(table.tHead.rows[0].cells);
    var numeric = heads.map(function (head) { return head.classList.contains('n'); });
    var rows = Array.from(table.tBodies[0].rows).filter(function (row) { return !row.hidden; });
    var texts = rows.map(texts_of), head = texts_of(table.tHead.rows[0]);
    var widths = widths_of([head].concat(texts), numeric), made = document.createElement('table'), place;

    made.className = 'listing';
    put_lines(make('pre', make('th', make('tr', make('thead', made)))), lines_of(head, widths, numeric), -1);
    place = make('pre', make('td', make('tr', make('tbody', made))));
    texts.forEach(function (row, i) {
      put_lines(place, lines_of(row, widths, numeric), rows[i].getAttribute('data-k') === 'o' ? name_of(rows[i]) : -1);
    });
    return made;
  }

  window.addEventListener('beforeprint', function () {
    document.querySelectorAll('.sortable').forEach(function (table) {
      table.after(listing(table));
      table.classList.add('listed');
    });
  });
  window.addEventListener('afterprint', function () {
    document.querySelectorAll('.listing').forEach(function (made) { made.remove(); });
    document.querySelectorAll('.listed').forEach(function (table) { table.classList.remove('listed'); });
  });
}());
