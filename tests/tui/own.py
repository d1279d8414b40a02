"""own.py: what the browser shows of own code, against JSON of the same run.

own.py first SCREEN JSON FUNCTION PLACE: one of the first three rows has the planted function, its line, and its share to the decimal.
own.py names SCREEN JSON: each row with a name has the whole last segment of an own function's path.
"""
import json
import re
import sys


def rows(path):
    """Between the heads and the last line of the screen, without empty lines and rows of no function."""
    lines = open(path, encoding="utf-8").read().split("\n")[2:23]
    return [line.rstrip() for line in lines if line.strip() and not re.search(r"\[[a-z0-9-]+[ \]]", re.sub(r"\[h?[0-9a-f]+\]", "", line))]


def last_segment(name):
    """That of the path, with what is within it: columns::{closure}. Type arguments may go."""
    name = re.sub(r"::<.*", "", name)
    match = re.search(r"(?:[^:<> ]+)(?:::\{[^{}]*\})*$", name)
    return match.group(0) if match else name


def share(part, whole):
    return "%.1f" % (100 * part / whole + 1e-9)


def first(screen, document, function, place):
    total = document["totals"]["Ir"]
    found = [f for f in document["own"]["functions"][:3] if f["name"].split("::{")[0] == function]
    shown = rows(screen)[:3]
    for f in found:
        at = "%s:%s" % (f["costliest"]["file"], f["costliest"]["line"])
        wanted = share(f["charged"]["Ir"], total)
        for row in shown:
            if at.endswith(place) and row.split()[0] == wanted and last_segment(f["name"]) in row and place[-8:] in row:
                return True
    print("# not in", shown)
    return False


def names(screen, document):
    segments = {last_segment(f["name"]) for f in document["functions"] if f["source"] == "own"}
    whole = re.compile("(?:^|[ :>])(?:%s)(?:::<[^ ]*.*)?(?: |$)" % "|".join(re.escape(s) for s in sorted(segments)))
    cut = [row for row in rows(screen) if not whole.search(row)]
    print("# cut:", cut)
    return bool(rows(screen)) and not cut


what, path, profile, *rest = sys.argv[1:]
good = {"first": first, "names": names}[what](path, json.load(open(profile)), *rest)
sys.exit(0 if good else 1)
