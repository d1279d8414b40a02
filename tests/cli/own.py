"""own.py: own code in JSON against the call tree of the same run.

own.py paths JSON FUNCTION FILE LINE: a run with call paths and --json=tree. Each charge is what the tree says, to the unit, and the function
that was planted is among the first three, at its line.
own.py inlined JSON TREE COLUMN: a run without call paths, JSON; and one of the same program with them, TREE. Each charge is what the tree says
of the function and of what is inlined into it.
own.py screen TEXT FUNCTION PLACE JSON: the first screen has both in one of its first three rows, with the share that JSON has.
own.py page HTML FUNCTION PLACE JSON: so has the first table of the page.
own.py lines ANNOTATE FUNCTION FILE LINE JSON: annotate's document has the line among the three costliest, with the cost that JSON has.
own.py annotated JSON NAME... ANNOTATE...: annotate's document of each function has the cost that JSON charges it with.
own.py all FILE: each line of FILE, the words of a command apart by tabs, after a name that stands before its checks.
"""
import html
import json
import re
import sys

# What derive() writes belongs to the lines that call it.
DERIVED = re.compile(r"^<.* as (Clone|Debug|PartialEq|Eq|PartialOrd|Ord|Hash|Default)>::")


prefix = ""


def check(good, name):
    print(("ok" if good else "not ok") + " - " + prefix + name)


def own_names(document):
    names = {f["name"] for f in document["functions"] if f["source"] == "own" and f["file"]}
    return {name for name in names if not DERIVED.match(name)}


def add(sums, name, costs):
    of = sums.setdefault(name, {})
    for event, cost in costs.items():
        of[event] = of.get(event, 0) + cost


def charges(document, inlined_only):
    """What each own function is charged with, by the tree. None: nobody is."""
    own, sums = own_names(document), {}
    stack = [(document["tree"], None)]
    while stack:
        node, payer = stack.pop()
        if node["name"] in own:
            payer = node["name"]
        elif inlined_only and not node.get("inlined"):
            payer = None
        add(sums, payer, node["self"])
        stack += [(child, payer) for child in node["children"]]
    return sums


def any_cost(counts):
    return any(counts.values())


def compare(document, expected, event):
    own = document["own"]
    found = {f["name"]: f["charged"][event] for f in own["functions"]}
    wanted = {name: counts.get(event, 0) for name, counts in expected.items() if name is not None and any_cost(counts)}
    for name in sorted(set(found) | set(wanted)):
        if found.get(name, 0) != wanted.get(name, 0):
            print(f"# {name}: {found.get(name)}, the tree has {wanted.get(name)}")
    check(found == wanted, f"charges in {event} are the tree's, of {len(found)} functions")
    outside = own["before_main"][event] + own["not_charged"][event]
    check(outside == expected.get(None, {}).get(event, 0), f"so is what is charged to nobody: {outside}")
    check(sum(found.values()) + outside == document["totals"][event], "and all add up to the total")
    check(own["charged"][event] == sum(found.values()), "own code is the sum of its functions")


def paths(path, function, file, line):
    document = json.load(open(path))
    own = document["own"]["functions"]
    compare(document, charges(document, False), "Ir")
    check(document["own"]["paths"] is True, "call paths are known")
    selves = {f["name"]: f["self"]["Ir"] for f in document["functions"]}
    inclusive = {f["name"]: f["inclusive"]["Ir"] for f in document["functions"]}
    check(all(f["self"]["Ir"] == selves.get(f["name"], 0) for f in own), "own costs are those of the functions")
    check(all(f["inclusive"]["Ir"] == inclusive[f["name"]] for f in own), "inclusive costs, too")
    check(all(f["charged"]["Ir"] == f["self"]["Ir"] + sum(b["cost"]["Ir"] for b in f["by"]) for f in own), "a charge is own cost and other code's")
    check(all(0 < f["costliest"]["charged"]["Ir"] <= f["charged"]["Ir"] for f in own), "no line has more than its function")
    order = [f["charged"]["Ir"] for f in own]
    check(order == sorted(order, reverse=True), "highest first")
    places = [(f["name"].split("::{")[0], (f["costliest"]["file"] or "")[-len(file):], f["costliest"]["line"]) for f in own[:3]]
    check((function, file, int(line)) in places, f"{function} at line {line} is among the first three: {places}")


def inlined(path, tree, event):
    document, known = json.load(open(path)), json.load(open(tree))
    check(document["own"]["paths"] is False and known["own"]["paths"] is True, "one has no call paths")
    check(document["totals"] == known["totals"], "both ran the same")
    compare(document, charges(known, True), event)


def row_of(document, function, line):
    return next(f for f in document["own"]["functions"] if f["name"].startswith(function) and f["costliest"]["line"] == int(line))


def screen(path, function, place, document):
    document = json.load(open(document))
    lines = open(path).read().split("\n")
    head = next(i for i, line in enumerate(lines) if re.match(r" *% +Charged ", line))
    rows = [line for line in lines[head + 1:head + 4] if f" {function}" in line and f" {place} " in line + " "]
    check(len(rows) == 1, f"{function} and {place} are in the first three rows")
    event = "D1mr" if "D1mr" in lines[head - 2] else "Ir"
    row = row_of(document, function, place.split(":")[1])
    share = f"{100 * row['charged'][event] / document['totals'][event]:.1f}"
    check(bool(rows) and rows[0].split()[0] == share, f"with its share, {share} %")


def page(path, function, place, document):
    document = json.load(open(document))
    rows = re.search(r'<section id="own">.*?<tbody>(.*?)</tbody>', open(path).read(), re.S).group(1).split("</tr>")
    rows = [[html.unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in row.split("</td>")] for row in rows]
    found = [row for row in rows[:3] if any(cell.startswith(function) for cell in row) and place in row]
    check(len(found) == 1, f"{function} and {place} are in the page's first three rows")
    charged = row_of(document, function, place.split(":")[1])["charged"]["Ir"]
    check(bool(found) and f"{charged:,}" in found[0] and found[0][0] == f"{100 * charged / document['totals']['Ir']:.1f}", f"with its cost, {charged:,}")


def lines(path, function, file, line, document):
    document, found = json.load(open(document)), json.load(open(path))
    all_lines = [(row["inclusive"]["Ir"], of["file"] or "", row["line"]) for of in found["files"] for row in of["lines"]]
    first = sorted(all_lines, key=lambda row: -row[0])[:3]
    check(any(at.endswith(file) and number == int(line) for _, at, number in first), f"line {line} is among the three costliest: {first}")
    charged = row_of(document, function, line)["costliest"]["charged"]["Ir"]
    cost = sum(c for c, at, number in all_lines if at.endswith(file) and number == int(line))
    check(cost == charged, f"with all that it called it costs {cost}, which is its charge: {charged}")


def annotated(path, *words):
    own = json.load(open(path))["own"]["functions"]
    half = len(words) // 2
    for name, document in zip(words[:half], words[half:]):
        charged = [f["charged"]["Ir"] for f in own if f["name"] == name]
        shown = [json.load(open(document))["inclusive"]["Ir"]]
        check(shown == charged, f"annotate {name}: {shown}, charged {charged}")


def every(path):
    global prefix
    for line in open(path).read().splitlines():
        name, command, *words = line.split("\t")
        prefix = name + ": "
        try:
            commands[command](*words)
        except Exception as error:
            check(False, f"{command}: {error!r}")


commands = {"paths": paths, "inlined": inlined, "screen": screen, "page": page, "lines": lines, "annotated": annotated, "all": every}
commands[sys.argv[1]](*sys.argv[2:])
