// The script of flame graphs: labels, zoom, search, keys.
'use strict';
const {element, load, is, done} = require('./load.js');
const fs = require('fs');
const path = require('path');
const file = process.argv[2];
const names = fs.readFileSync(path.join(path.dirname(file), 'short_names.js'), 'utf8');

globalThis.short_names = new Function(`${names}; return short_names;`)();

// A frame as the SVG has it; v: depth, start, value.
function frame(name, v, y) {
  const title = element();
  const rect = element({y, x: 0, width: 0});
  const text = element();

  title.textContent = `${name}\n${v[2]} Ir`;
  return Object.assign(element({'data-v': v.join(' '), 'data-f': name}, {title, rect, text}), {rect, text});
}

const frames = [
  frame('all', [0, 0, 100], 90), frame('app::main', [1, 0, 100], 80), frame('app::parse', [2, 0, 60], 70),
  frame('core::str::len', [3, 0, 20], 60), frame('app::sort', [2, 60, 40], 70),
];
const bar = element({}, {rect: element()});
const parts = {
  '.detail': element(), '.numbers': element(), '.found': element(), '.bar': bar, '.ground': element(), '.legend': element(),
  '.frames': element(), foreignObject: element(), '.frames > g': frames,
};
const svg = element({'data-geometry': '10 1000 7 12', height: 200}, parts);
const document = Object.assign(element(), {
  currentScript: {closest: () => svg}, documentElement: svg, activeElement: null, createElementNS: () => element(),
});
const script = load(file, document, ['fit', 'label_of', 'zoom', 'search', 'next', 'towards', 'count', 'frames', 'field', 'reset', 'neighbours', 'flip', 'get_state', 'set_state']);

is(script.fit('abcdefghij', 70), 'abcdefghij', 'a text that fits stays');
is(script.fit('abcdefghij', 49), 'abc\u2026hij', 'one that does not loses its middle');
is(script.fit('abcdefghij', 14), '', 'where there is no room there is no text');
const label = (name, columns) => script.label_of(name, columns * 7);
const train = '<nnet::net::Layer<T> as Model<M>>::train::<f64>';
is([47, 46, 40, 29, 18, 14, 7, 4].map((columns) => label(train, columns)),
  [train, '<nnet::net::Layer as Model>::train::<f64>', 'nnet::net::Layer::train::<f64>', 'net::Layer::train::<f64>',
    'net::Layer::train', 'Layer::train', 'train', 't\u2026in'], 'a name loses arguments, the trait and its path before letters');
const push = 'std::vector<int, std::allocator<int> >::push_back(int const&)';
is([61, 60, 48, 21, 16].map((columns) => label(push, columns)),
  [push, 'std::vector<int, std::allocator<int> >::push_back', 'std::vector::push_back', 'vector::push_back', 'push_back'],
  'of C++ parameters go first');
is(label('void a::f<int>(long) const', 12), 'a::f<int>', 'and what is returned');
is(label('core::ptr::drop_in_place<Vec<Record>>', 36), 'ptr::drop_in_place<Vec<Record>>', 'a module goes before arguments');
is(label('<A as SlicePartialEq<B>>::equal', 24), 'SlicePartialEq::equal', 'a trait stays where the type is any');
is(label('<[T] as PartialEq<[U]>>::eq', 12), '<[T]>::eq', 'a type that is no path keeps its brackets');
is(label('a::b::{closure}', 14), 'b::{closure}', 'a closure has its function');
is(label('std::operator<(a, b)', 15), 'std::operator<', 'an operator is no bracket');
is(label('a::b->c', 5), 'b->c', 'an arrow is none');
is(label('broken<name', 9), 'brok\u2026name', 'a name whose brackets do not match is cut');

is(frames.map((f) => [Number(f.rect.getAttribute('x')), Number(f.rect.getAttribute('width'))]),
  [[10, 1000], [10, 1000], [10, 600], [10, 200], [610, 400]], 'frames are as wide as their values');
script.zoom(script.frames[2]);
is([frames[2], frames[3]].map((f) => Math.round(f.rect.getAttribute('width'))), [1000, 333], 'zooming widens what stands on a frame');
is(frames[4].style.display, 'none', 'and hides what does not');
is(script.reset.classList.contains('on'), true, 'there is a way back');
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

const neighbours = script.neighbours('app::main');
is([neighbours.value, neighbours.total], [100, 100], 'a function costs what its outermost frames do');
is(neighbours.callees.map((one) => [one.f, one.value]), [['app::parse', 60], ['app::sort', 40]], 'its callees, the greatest first');
is(script.neighbours('app::sort').callers.map((one) => one.f), ['app::main'], 'and its callers');
is(script.neighbours('nothing'), null, 'a function without a frame has neither');

const height = (f) => Number(f.rect.getAttribute('y'));
const before = frames.map(height);
script.flip();
is([height(frames[0]) < height(frames[1]), before[0] > before[1]], [true, true], 'an icicle has its root on top');
script.field.value = '';
script.search();
is(script.get_state(), {z: '', m: '', i: '1', q: ''}, 'which the address keeps');
script.set_state({z: '2', q: 'sort'});
is([script.get_state(), frames[4].style.display], [{z: '2', m: '', i: '', q: 'sort'}, 'none'], 'and it brings back what was chosen');
script.set_state({});
is(frames.map(height), before, 'with the root where it was');
done();
