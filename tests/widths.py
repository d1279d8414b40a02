"""widths.py FOLDER NAMES: what is cut in output.

FOLDER has, for each N from 1, N.command, N.pipe: what it writes without a terminal, and N.cut: on a narrow one. Prints what is wrong, each line
behind "whole: " where something is cut in a pipe, and "own: " where a function of NAMES (its full name, a line each) lost letters of the last
part of its path, or is not there at all. Where source is shown, that is asked of inlined functions, not of code.
"""
import os
import re
import sys

mark = re.compile(r"[ 0-9.,-]*…( +[0-9,]+ [a-z ]+)?")  # of lines that are left out; it is no cut
inlined = re.compile(r"(.*(?:╰|  in )[^ ]+)")


def lines(path):
    return open(path, encoding="utf-8", errors="replace").read().split("\n")


def parts(name):
    """Those of a path without arguments; a closure is its function's."""
    return [part for part in re.split(r"::(?!\{)", re.sub(r"::<.*", "", name)) if part]


def is_cut(word, path):
    """A word with an ellipsis that is a name with letters cut of its last part, or of what is before that."""
    before, _, after = word.partition("…")
    for i in range(len(path)):
        rest = "::".join(path[i:])
        if (before or after) and rest.startswith(before) and rest.endswith(after) and len(after) < len(path[-1]):
            return True
    return False


def cut_names(text, paths):
    """Chains and deep levels have the ellipsis alone, and places have slashes."""
    words = [(word, line) for line in text for word in line.split() if "…" in word and word != "…" and "/" not in word]
    return [line for word, line in words for path in paths if is_cut(word, path)]


def without_arguments(text):
    text, n = "\n".join(text), 1
    while n:
        text, n = re.subn(r"::<[^<>\n]*>|<(?![^<>]* as )[^<>\n]*>", "", text)
    return text


def missing(text, whole, paths):
    found, text, whole = [], without_arguments(text), without_arguments(whole)
    for path in paths:
        last = re.compile(r"(?<![\w:/])(?:[\w<> ]*::)*%s(?![\w/])" % re.escape(path[-1]))
        if last.search(whole) and not last.search(text):
            found.append("not there: " + "::".join(path))
    return found


folder, names = sys.argv[1:]
own = [parts(name) for name in lines(names) if name]
n = 1
while os.path.exists("%s/%d.command" % (folder, n)):
    command, pipe, cut = (lines("%s/%d.%s" % (folder, n, kind)) for kind in ("command", "pipe", "cut"))
    found = [("whole", line) for line in pipe if "…" in line and not mark.fullmatch(line)]
    if not any(pipe):
        found.append(("whole", "nothing is written"))
    if command[0].startswith(("annotate", "source")):
        cut = [inlined.match(line).group(1) for line in cut if inlined.match(line)]
        found += [("own", line) for line in cut_names(cut, own)]
    else:
        found += [("own", line) for line in cut_names(cut, own) + missing(cut, pipe, own)]
    for kind, line in found[:4]:
        print("%s: %s: %s" % (kind, command[0], line))
    n += 1
