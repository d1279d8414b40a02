// Tables as they are printed: lines of text.
'use strict';
const {element, load, is, done} = require('./load.js');
const file = process.argv[2];
const script = load(file, element(), ['cut_of', 'wrap', 'widths_of', 'lines_of']);

is(script.wrap('short', 12), ['short'], 'what fits is one line');
is(script.wrap('<Zip<A, B> as ZipImpl>::next', 20), ['<Zip<A, B> as ', 'ZipImpl>::next'], 'others are cut behind a blank');
is(script.wrap('alloc::vec::Vec::with_capacity', 20), ['alloc::vec::Vec::', 'with_capacity'], 'or a part of a name');
is(script.wrap('aaaaaaaaaaaaaaaaaa::bb', 19), ['aaaaaaaaaaaaaaaaaa:', ':bb'], 'or where there is no more room');
is(script.wrap('0123456789abcdef', 8), ['01234567', '89abcdef'], 'letter by letter, none is lost');
is(script.cut_of('abc::de', 4), 4, 'two colons are no end in their midst');
is(script.widths_of([['1', 'name'], ['1,000', 'a longer name']], [true, false]), [5, 13], 'columns are as wide as their texts');

const wide = script.widths_of([['1,000', 'n'.repeat(300), 'p'.repeat(300)]], [true, false, false]);

is(wide[0], 5, 'a number is never cut');
is(wide[0] + wide[1] + wide[2] + 4 <= 132, true, 'all fit on the paper');
is(script.widths_of([['n'.repeat(300), 'src/main.rs']], [false, false]), [118, 12], 'the shorter text keeps its width');
is(script.lines_of(['1,000', 'a::bcdefghij', 'f.rs'], [6, 8, 4], [true, false, false]),
  [[' 1,000', 'a::bcdef', 'f.rs'], ['      ', 'ghij    ', '    ']], 'a row is as many lines as its longest cell');
done();
