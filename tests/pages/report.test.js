// The script of report pages: numbers, sorting, filtering.
'use strict';
const {element, load, is, done} = require('./load.js');
const file = process.argv[2];

function cell(text, classes) {
  const made = element();

  made.textContent = text;
  (classes || []).forEach((c) => made.classList.add(c));
  return made;
}

function table(heads, texts) {
  const body = {rows: texts.map((row) => ({cells: row.map((text) => cell(text)), hidden: false})), querySelector: () => null};

  body.append = (...rows) => { body.rows = rows; };
  body.replaceChildren = body.append;
  body.appendChild = (row) => { body.rows = body.rows.filter((other) => other !== row).concat([row]); };
  return {tBodies: [body], tHead: {rows: [{cells: heads.map((head) => cell(head.text, head.classes))}]}, body};
}

const costs = table([{text: 'Ir', classes: ['n']}, {text: 'Calls', classes: ['n']}, {text: 'Function'}],
  [['1,000', 'inlined', 'beta'], ['20', '3', 'Alpha'], ['-5', '12', 'gamma']]);
const document = Object.assign(element({}, {'table.sortable': [costs]}), {createElement: () => element()});
const script = load(file, document, ['number', 'compare', 'grouped', 'is_editing', 'read_state', 'share']);

is(script.number('1,234,567'), 1234567, 'a count with separators is a number');
is(script.number('+12'), 12, 'a change is a number');
is(script.number('-12.5'), -12.5, 'so is one below 0');
is(script.number('inlined') === -Infinity, true, 'a word stands below all numbers');
is(script.number('') === -Infinity, true, 'so does an empty cell');
is([script.compare(1, 2), script.compare(2, 1), script.compare('a', 'a')], [-1, 1, 0], 'values are compared');
is([script.grouped(0), script.grouped(999), script.grouped(1000), script.grouped(1234567)], ['0', '999', '1,000', '1,234,567'],
  'counts get separators');
is(script.read_state('#costs?q=a%26b&k=od'), {id: 'costs', state: {q: 'a&b', k: 'od'}}, 'the address has a tab and what is chosen there');
is(script.read_state('#own'), {id: 'own', state: {'': ''}}, 'or the tab alone');
is(script.read_state('#costs?q=%zz').state.q, '%zz', 'what is no encoding is taken as it is');
is([script.share(1, 3), script.share(1, 0)], ['33.3', ''], 'shares have one decimal, where there is a whole');
is(script.is_editing({tagName: 'input'}), true, 'keys in a field are for the field');
is(script.is_editing({tagName: 'DIV'}), false, 'elsewhere they are not');

const heads = costs.tHead.rows[0].cells;
const order = () => costs.body.rows.map((row) => row.cells[2].textContent);

is(heads[0].getAttribute('aria-sort'), 'descending', 'the column that the rows come sorted by is marked');
heads[1].children[0].listeners.click({preventDefault() {}});
is(order(), ['gamma', 'Alpha', 'beta'], 'a click on a head sorts by number, the greatest first, words last');
heads[1].children[0].listeners.click({preventDefault() {}});
is(order(), ['beta', 'Alpha', 'gamma'], 'a second click turns the order round');
heads[2].children[0].listeners.click({preventDefault() {}});
is(order(), ['Alpha', 'beta', 'gamma'], 'names are sorted without regard to capitals');
done();
