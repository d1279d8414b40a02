"""export_inclusive.py PROFILE.json EXPORT ANNOTATED - the inclusive costs that callgrind_annotate --inclusive=yes says of an export as
callgrind.out, beside those of the profile that was exported. Prints "CLASS=COUNT" for each class of functions that there is:

  exact      the same
  circle     the function can come to itself again: a sum of calls has what nested ones cost several times
  objects    functions of one name and file in several objects, which callgrind_annotate makes one
  unstacked  code that is jumped to and called by none: it is on no stack, so what it calls is not its own. Where others jump into
             the middle of a function that is called, too, its own cost is more than that of its calls
  wrong      anything else; each is printed before
"""
import collections
import json
import re
import sys

sys.setrecursionlimit(1000000)


def read_export(path):
    """The calls [(caller, callee)], as "file:function"."""
    names = {"fn": {}, "fl": {}}
    at = {"fn": None, "fl": None, "cfn": None, "cfi": None}
    calls = []
    for line in open(path, encoding="utf-8"):
        found = re.match(r"(fn|fl|cfn|cfi)=\((\d+)\)(?: (.*))?$", line.rstrip("\n"))
        if found:
            space = names["fn" if found[1] in ("fn", "cfn") else "fl"]
            if found[3] is not None:
                space[found[2]] = found[3]
            at[found[1]] = space[found[2]]
        elif re.match(r"f[ie]=\((\d+)\) ", line):
            number, name = re.match(r"f[ie]=\((\d+)\) (.*)", line).groups()
            names["fl"][number] = name
        elif line.startswith("calls="):
            calls.append((at["fl"] + ":" + at["fn"], at["cfi"] + ":" + at["cfn"]))
    return calls


def circular(calls):
    """The names that can be come to from themselves."""
    callees = collections.defaultdict(set)
    for caller, callee in calls:
        callees[caller].add(callee)
    found = set()
    for name in callees:
        seen, left = set(), [name]
        while left and name not in seen:
            for callee in callees.get(left.pop(), ()):
                if callee not in seen:
                    seen.add(callee)
                    left.append(callee)
        if name in seen:
            found.add(name)
    return found


def read_annotated(path):
    """{"file:function": inclusive cost of the first event}"""
    lines = open(path, encoding="utf-8").read().split("\n")
    start = next(i for i, line in enumerate(lines) if line.endswith("file:function")) + 2
    rows = {}
    for line in lines[start:]:
        if line.startswith("--"):
            break
        found = re.match(r"\s*([\d,]+) \(\s*[\d.]+%\)\s+(.*?)(?: \[[^][]*\])?$", line)
        if found:
            rows[found[2]] = int(found[1].replace(",", ""))
    return rows


def main():
    profile = json.load(open(sys.argv[1], encoding="utf-8"))
    calls, rows = read_export(sys.argv[2]), read_annotated(sys.argv[3])
    circle, called = circular(calls), {callee for _, callee in calls}
    event = profile["events"][0]
    functions = collections.defaultdict(list)
    for function in profile["functions"]:
        functions["%s:%s" % (function["file"] or "???", function["name"])].append(function)
    classes = collections.Counter()
    for name, its in functions.items():
        inclusive, own, said = its[0]["inclusive"][event], its[0]["self"][event], rows.get(name)
        if len(its) == 1 and said == inclusive:
            kind = "exact"
        elif said is None:
            kind = "wrong"
        elif len(its) > 1 and said == sum(function["inclusive"][event] for function in its):
            kind = "objects"
        elif name in circle:
            kind = "circle"
        elif inclusive == own and (name not in called or said < own):
            kind = "unstacked"
        else:
            kind = "wrong"
        classes[kind] += 1
        if kind == "wrong":
            print("%s: %s, callgrind_annotate says %s" % (name, inclusive, said))
    print(" ".join("%s=%d" % (kind, classes[kind]) for kind in ("exact", "circle", "objects", "unstacked", "wrong")))


main()
