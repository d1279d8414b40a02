"""What tests of pictures and pages have in common: the browsers, and what is said of them. Scripts print "ok - ", "not ok - " and
"skip - " lines for browsers.sh."""
import json

import flame
import marionette
import webdriver

failed = 0


def ok(passed, name, got=None):
    global failed
    failed += not passed
    print("%sok - %s%s" % ("" if passed else "not ", name, "" if passed else "\n# got: %r" % (got,)), flush=True)


def each():
    """Name and class of each browser that is here."""
    for name, browser, why in (("Chromium", webdriver.Browser, webdriver.missing()), ("Firefox", marionette.Firefox, marionette.missing())):
        if why:
            print("skip - in %s # %s" % (name, why))
        else:
            yield name, browser


def check_frames(browser, picture, tree, event, what, folded=False):
    """What the browser has drawn below the element `picture`: that it adds up, is in proportion, and is the tree of the file `tree`; where
    that is folded, all of its cost."""
    drawn, height, view = browser.run("""
      const svg = document.querySelector(arguments[0]), place = rect => {
        const box = rect.getBBox(), to = rect.getScreenCTM();
        return [box.x * to.a + to.e, box.y * to.d + to.f, box.width * to.a, box.height * to.d];
      };
      return [[...svg.querySelectorAll('.frames > g')].map(g =>
        [g.dataset.v, g.querySelector('title, desc').textContent, g.classList.contains('i')].concat(place(g.querySelector('rect')).slice(0, 3))
      ), place(svg.querySelector('.ground'))[3], Number(svg.getAttribute('height'))];""", picture)
    try:
        frames = flame.frames_of(drawn)
        flame.check_sums(frames)
        flame.check_places(frames, frames[0].x, frames[0].width, 18 * height / view, 0.05)
        with open(tree, encoding="utf-8") as file:
            (flame.check_total if folded else flame.check_paths)(frames, json.load(file), event)
        wrong = None
    except SystemExit as error:
        wrong = str(error)
    ok(wrong is None, "%s: each frame is its own cost, the frames on it and what is left out; the root is the total%s"
       % (what, "" if folded else "; all are the JSON tree's"), wrong)


def check_quiet(browser, what):
    errors, requests = browser.errors(), browser.requests()
    ok(errors == [], "%s: nothing in the console" % what, errors)
    ok(requests == [], "%s: nothing is asked for from elsewhere" % what, requests)
