// load.js - a page's script with a document of a few fake elements, and the functions inside of it. No browser is needed for what
// they compute; tests/cli/*-browser.test look at what is drawn.
'use strict';
const fs = require('fs');

let count = 0;
let failed = 0;

// An element that keeps its attributes and does nothing else.
function element(attributes, parts) {
  const own = Object.assign({}, attributes);
  const classes = new Set();

  return {
    style: {setProperty() {}}, dataset: {}, children: [], textContent: '', listeners: {},
    classList: {
      add: (c) => classes.add(c), remove: (c) => classes.delete(c), contains: (c) => classes.has(c),
      toggle: (c, on) => (on ? classes.add(c) : classes.delete(c)),
    },
    getAttribute: (name) => (name in own ? String(own[name]) : null),
    setAttribute: (name, value) => { own[name] = value; },
    hasAttribute: (name) => name in own,
    removeAttribute: (name) => { delete own[name]; },
    appendChild(child) { this.children.push(child); return child; },
    addEventListener(name, f) { this.listeners[name] = f; },
    querySelector: (selector) => (parts || {})[selector] || null,
    querySelectorAll: (selector) => (parts || {})[selector] || [],
    closest: () => null, replaceWith() {}, remove() {}, after() {}, dispatchEvent() {},
    getBoundingClientRect: () => ({top: 0, bottom: 0, width: 0, height: 0}), focus() {}, blur() {}, scrollIntoView() {},
  };
}

// Runs the script and returns the named functions of its closure.
function load(file, document, names) {
  const source = fs.readFileSync(file, 'utf8').replace(/\}\(\)\);\s*$/, `return {${names.join(', ')}};\n}());`);
  const window = element();

  window.location = {hash: ''};
  window.innerHeight = 800;
  return new Function('document', 'window', 'location', `return ${source}`)(document, window, window.location);
}

function is(got, want, name) {
  const good = JSON.stringify(got) === JSON.stringify(want);

  count++;
  failed += good ? 0 : 1;
  console.log(`${good ? 'ok' : 'not ok'} ${count} - ${name}`);
  if (!good)
    console.log(`# got: ${JSON.stringify(got)}\n# want: ${JSON.stringify(want)}`);
}

function done() {
  console.log(`1..${count}`);
  process.exitCode = failed ? 1 : 0;
}

module.exports = {element, load, is, done};
