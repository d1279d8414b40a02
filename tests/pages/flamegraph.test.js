// The script of flame graphs: labels, zoom, search, keys.
'use strict';
const {element, load, is, done} = require('./load.js');
const file = process.argv[2];

// A frame as the SVG has it; v: depth, start, value.
function frame(name, v, y) {
  const title = element();
  const rect = element({y, x: 0, width: 0});
  const text = element();

  title.textContent = `${name}\n${v[2]} Ir`;
  return Object.assign(element({'data-v': v.join(' ')}, {title, rect, text}), {rect, text});
}

const frames = [
  frame('all', [0, 0, 100], 90), frame('app::main', [1, 0, 100], 80), frame('app::parse', [2, 0, 60], 70),
  frame('core::str::len', [3, 0, 20], 60), frame('app::sort', [2, 60, 40], 70),
];
const parts = {'.detail': element(), '.found': element(), '.reset': element(), foreignObject: element(), '.frames > g': frames};
const svg = element({'data-geometry': '10 1000 7 12'}, parts);
const document = Object.assign(element(), {
  currentScript: {closest: () => svg}, documentElement: element(), activeElement: null, createElementNS: () => element(),
});
const script = load(file, document, ['fit', 'brief', 'label_of', 'zoom', 'search', 'next', 'towards', 'count', 'frames', 'field']);

is(script.fit('abcdefghij', 70), 'abcdefghij', 'a text that fits stays');
is(script.fit('abcdefghij', 49), 'abc\u2026hij', 'one that does not loses its middle');
is(script.fit('abcdefghij', 14), '', 'where there is no room there is no text');
is(script.brief('Vec<u8>::push', 0), 'Vec<\u2026>::push', 'brackets lose what is in them');
is(script.brief('Vec<u8>::push', 1), 'Vec\u2026::push', 'or go, where there is no room');
is(script.brief('operator<(a, b)', 0), 'operator<(a, b)', 'an operator is no bracket');
is(script.brief('a->b', 0), 'a->b', 'an arrow is none');
is(script.brief('broken<name', 0), 'broken<name', 'a name whose brackets do not match stays');

is(frames.map((f) => [Number(f.rect.getAttribute('x')), Number(f.rect.getAttribute('width'))]),
  [[10, 1000], [10, 1000], [10, 600], [10, 200], [610, 400]], 'frames are as wide as their values');
script.zoom(script.frames[2]);
is([frames[2], frames[3]].map((f) => Math.round(f.rect.getAttribute('width'))), [1000, 333], 'zooming widens what stands on a frame');
is(frames[4].style.display, 'none', 'and hides what does not');
is(parts['.reset'].classList.contains('on'), true, 'there is a way back');
script.zoom(script.frames[0]);
is(frames[4].style.display, '', 'which shows all again');

script.field.value = 'app::(parse|sort)';
script.search();
is(parts['.found'].textContent, '2 found, 100.00 %', 'a search counts what it found, and its share');
script.field.value = 'app';
script.search();
is(parts['.found'].textContent, '3 found, 100.00 %', 'what stands on a frame that was found is not counted twice');
script.field.value = 'str::len(';
script.search();
is(parts['.found'].textContent, '0 found, 0.00 %', 'what is no regular expression is searched as it is');

is(script.towards('ArrowUp') === script.frames[1], true, 'the arrow towards the tips goes to the first child');
is(script.next(2, 1, (other) => other.depth === 2) === script.frames[4], true, 'the next frame of the same depth');
done();
