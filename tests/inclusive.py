"""inclusive.py PROFILE REPORT.json REPORT - compares the inclusive costs of functions, in a report of ours as JSON, with those that
callgrind_annotate --inclusive=yes --tree=both says of the profile. Prints "CLASS=COUNT" for each class of its rows that there is:

  exact      a function; every count is the same
  bounded    the same but where the report is below the function's own cost or above the program's: ours is that bound
  circle     a function that can call itself, directly or not: the report adds up nested activations
  objects    functions of one file and name in several objects, which the report makes one
  misfiled   functions that begin, or are called from such, while a file of inlined code is open: the report goes on in it
  inlined    no function: lines of another file in functions that begin elsewhere
  missing    a function that the report does not have
  wrong      anything else
Rows that are missing or wrong are printed before.
"""
import collections
import json
import re
import sys


def counts_of(text, n):
    """The N counts at the front of a row, and what is behind them."""
    counts = []
    for _ in range(n):
        word, _, text = text.lstrip().partition(" ")
        counts.append(0 if word == "." else int(word.replace(",", "")))
    return counts, text.lstrip()


def read_report(path):
    """{name: counts}, and the calls [(caller, callee)]."""
    lines = open(path, encoding="utf-8", errors="surrogateescape").read().split("\n")
    events = next(line for line in lines if line.startswith("Events shown:")).split(":")[1].split()
    start = next(i for i, line in enumerate(lines) if line.endswith("file:function")) + 2
    rows, calls, callers = {}, [], []
    name = None
    for line in lines[start:]:
        if not line:
            callers = []
            name = None
            continue
        if line.startswith("---"):
            break
        counts, rest = counts_of(line, len(events))
        mark, other = rest[0], rest[1:].strip()
        other = re.sub(r" \[[^][]*\]$", "", other)
        if mark == "*":
            name = other
            rows[name] = counts
            calls += [(caller, name) for caller in callers]
            continue
        other = re.sub(r" \([0-9,]+x\)$", "", other)
        if mark == "<":
            callers.append(other)
        else:
            calls.append((name, other))
    return events, rows, calls


def circular(calls):
    """The names that can be come to from themselves."""
    callees = collections.defaultdict(set)
    for caller, callee in calls:
        callees[caller].add(callee)
    found = set()
    for name in list(callees):
        seen, left = set(), [name]
        while left:
            for callee in callees.get(left.pop(), ()):
                if callee not in seen:
                    seen.add(callee)
                    left.append(callee)
        if name in seen:
            found.add(name)
    return found


def misfiled(path):
    """Names of functions that begin between fi= and the next fe= or fl=, and of what they call in "their" file."""
    names, found = {}, set()
    is_open, begins_open, has_file = False, False, False
    for line in open(path, encoding="utf-8", errors="surrogateescape"):
        key, equals, value = line.rstrip("\n").partition("=")
        if not equals or key not in ("fi", "fe", "fl", "fn", "cfi", "cfn"):
            continue
        if key in ("fi", "fe", "fl"):
            is_open, begins_open = key == "fi", False
        if key == "cfi":
            has_file = True
        if key not in ("fn", "cfn"):
            continue
        number = re.match(r"\((\d+)\) ?(.*)", value)
        if number and number.group(2):
            names[number.group(1)] = number.group(2)
        if key == "fn":
            begins_open = is_open
        if begins_open and not has_file:
            found.add(names[number.group(1)] if number else value)
        has_file = False
    return found


def bounded(want, function, totals, events):
    return [min(max(n, function["self"][event]), totals[event]) for n, event in zip(want, events)]


def main():
    profile = json.load(open(sys.argv[2], encoding="utf-8", errors="surrogateescape"))
    events, rows, calls = read_report(sys.argv[3])
    ours = collections.defaultdict(list)
    for f in profile["functions"]:
        ours[(f["file"] or "???") + ":" + f["name"]].append(f)
    circle, elsewhere = circular(calls), misfiled(sys.argv[1])
    classes = collections.Counter()

    def judge(name, want):
        functions = ours.get(name, [])
        got = [[f["inclusive"][event] for event in events] for f in functions]
        if len(functions) == 1 and got[0] == want:
            return "exact"
        if any(name.endswith(":" + other) for other in elsewhere):
            return "misfiled"
        if not functions:
            return "inlined"
        if name in circle:
            return "circle"
        if len(functions) > 1:
            return "objects"
        if got[0] == bounded(want, functions[0], profile["totals"], events):
            return "bounded"
        print(name, "should be", want, "is", got)
        return "wrong"

    for name, want in rows.items():
        classes[judge(name, want)] += 1
    for name, functions in ours.items():
        if name in rows or not any(any(f["inclusive"].values()) for f in functions):
            continue
        kind = "misfiled" if functions[0]["name"] in elsewhere else "missing"
        classes[kind] += 1
        if kind == "missing":
            print(name, "is missing in the report")
    print(" ".join(f"{kind}={classes[kind]}" for kind in sorted(classes)))


main()
