// The script that colours Rust: tokens of lines, and what goes on in the next line.
'use strict';
const {element, load, is, done} = require('./load.js');
const script = load(process.argv[2], element(), ['tokens']);

function fresh() {
  return {comment: 0, text: 0, raw: null};
}
// The tokens with a class, as "CLASS:TEXT".
const marked = (text, state) => script.tokens(text, state || fresh()).filter((t) => t[0]).map((t) => t.join(':'));
const whole = (text, state) => script.tokens(text, state || fresh()).map((t) => t[1]).join('');

is(marked('let mut n = 10_000u64;'), ['w:let', 'w:mut', 'l:10_000u64'], 'words and numbers');
is(marked('for x in 0..10 {'), ['w:for', 'w:in', 'l:0', 'l:10'], 'a range is two numbers');
is(marked('println!("a {} \\" b", x); // end'), ['m:println!', 't:"a {} \\" b"', 'c:// end'], 'macros, strings, comments');
is(marked("let c = '\\''; fn f<'a>(s: &'a str)"), ['w:let', "l:'\\''", 'w:fn', "l:'a", "l:'a"], 'characters and lifetimes');
is(marked('r#"a "quoted" one"# + b'), ['t:r#"a "quoted" one"#'], 'a raw string ends where it says');
is(marked('#[derive(Clone)]'), ['m:#[derive(Clone)]'], 'attributes');
is(marked('impl Iterator for Lines'), ['w:impl', 'y:Iterator', 'w:for', 'y:Lines'], 'types');
is(marked('a != b'), [], 'a comparison is no macro');

const state = fresh();

is(marked('a /* one /* two', state), ['c:/* one /* two'], 'a comment goes on');
is(marked('still */ in it', state), ['c:still */ in it'], 'and they nest');
is(marked('it */ let x', state), ['c:it */', 'w:let'], 'until it ends');
is(marked('let s = "one', state), ['w:let', 't:"one'], 'so does a string');
is(marked('two"; true', state), ['t:two"', 'w:true'], 'until its quote');
for (const text of ["'", 'b"', 'r#', '"\\', '/*', "b'x", '<>&"\'', 'x\u0000y'])
  is(whole(text), text, 'no text is lost: ' + JSON.stringify(text));
done();
