"""What cargo cprof says of the project in tests/data/crates, held against what its sources say. Prints TAP without a plan.

crates.py FOLDER N...: FOLDER has VIEW.N.json, what --json gave for N steps, for each view; N in equal distances. Counts are
a * N + b: so differences between neighbouring N are equal, and a is the difference divided by the distance.
"""
import json
import sys

folder, steps = sys.argv[1], [int(n) for n in sys.argv[2:]]
count = 0


def load(view, n):
    with open(f"{folder}/{view}.{n}.json", encoding="utf-8") as file:
        return json.load(file)


def is_(got, want, name):
    global count
    count += 1
    good = got == want
    print(f"{'ok' if good else 'not ok'} {count} - {name}")
    if not good:
        print(f"# got:  {got}\n# want: {want}")


def slope(values, name):
    """How much more a step costs, where it is the same for all."""
    distance = steps[1] - steps[0]
    more = [b - a for a, b in zip(values, values[1:])]
    is_((len(set(more)), more[0] % distance), (1, 0), f"{name} is a * N + b")
    return more[0] // distance


def key(row):
    return tuple(row.get(k) for k in ("name", "function", "crate", "version", "file", "line", "object", "source", "mangled"))


views = {view: [load(view, n) for n in steps] for view in ("function", "fold", "crate", "object", "file", "line", "blame", "symbols")}
lists = {view: {"blame": "blame", "function": "functions", "fold": "functions"}.get(view, "groups") for view in views}
total = slope([d["totals"]["Ir"] for d in views["function"]], "the program's total")

# Every view: the same total, and rows that are linear one by one.
for view, documents in views.items():
    cost = "total" if view == "blame" else "self"
    for n, d in zip(steps, documents):
        is_(sum(r[cost]["Ir"] for r in d[lists[view]]), d["totals"]["Ir"], f"{view}, N={n}: rows add up to the total")
    if view != "symbols":
        is_([d["totals"] for d in documents], [d["totals"] for d in views["function"]], f"{view}: it is the same total")
    tables = [{key(r): r for r in d[lists[view]]} for d in documents]
    is_([len(t) for t in tables], [len(d[lists[view]]) for d in documents], f"{view}: no two rows are alike")
    is_(all(t.keys() == tables[0].keys() for t in tables), True, f"{view}: the same rows for each N")
    uneven, summed, distance = [], 0, steps[1] - steps[0]
    for k in tables[0]:
        for column in (cost, "foreign", "inclusive"):
            if all(t.get(k, {}).get(column) for t in tables):
                values = [t[k][column]["Ir"] for t in tables]
                more = {b - a for a, b in zip(values, values[1:])}
                if len(more) != 1 or more.pop() % distance:
                    uneven.append((k, column, values))
                elif column == cost:
                    summed += (values[1] - values[0]) // distance
    is_(uneven, [], f"{view}: each row's costs are a * N + b")
    is_(summed, total, f"{view}: and these a add up to that of the total")


def row(view, n, **wanted):
    found = [r for r in views[view][n][lists[view]] if all(r[k] == v for k, v in wanted.items())]
    return found[0] if len(found) == 1 else {"found": len(found), "self": {"Ir": None}, "inclusive": {"Ir": None}}


# Functions: how often they are called, and whose they are.
app, engine, toolbox = ("app-main", "0.1.0", "own"), ("engine-core", "0.3.0", "own"), ("shared-toolbox", "2.1.0", "own")
for name, calls, crate in (("engine_core::step", 1, engine), ("engine_core::walk", 15, engine), ("tools::mix", 3, toolbox),
                           ("tools::blend::<u8>", 2, toolbox), ("tools::blend::<u16>", 1, toolbox),
                           ("tools::blend::<u32>", 1, toolbox), ("tools::copy", 1, toolbox)):
    rows = [row("function", i, name=name) for i in range(len(steps))]
    is_([r.get("calls") for r in rows], [calls * n for n in steps], f"{name} is called {calls} times a step")
    is_({(r.get("crate"), r.get("version"), r.get("source")) for r in rows}, {crate}, f"{name} is of {crate[0]} {crate[1]}")
main = row("function", 0, name="app_main::main")
is_((main.get("calls"), main.get("crate"), main.get("source")), (1, "app-main", "own"), "main is called once")
memcpy = [r for r in views["function"][0]["functions"] if r["name"].startswith(("__memcpy", "__memmove"))]
is_({(r["crate"], r["version"], r["source"]) for r in memcpy}, {("libc", None, "libc")}, "memcpy is libc's")
# Older libraries sort in alloc.
sorts = [r for r in views["function"][0]["functions"] if r["name"].startswith(("core::slice::sort", "alloc::slice::merge"))]
is_(bool(sorts) and [r["crate"] for r in sorts], [r["name"].split("::")[0] for r in sorts], "sort is of the library's crate that has it")

# --fold-generics: one row of three instances, what they are together. The newer mangling says that there are arguments.
folded = next((r["name"] for r in views["fold"][0]["functions"] if r["name"] == "tools::blend::<_>"), "tools::blend")
for i, n in enumerate(steps):
    one, three = row("fold", i, name=folded), [row("function", i, name=f"tools::blend::<{t}>") for t in ("u8", "u16", "u32")]
    is_((one.get("instances"), one.get("calls"), one["self"]["Ir"], one["inclusive"]["Ir"]),
        (3, 4 * n, sum(r["self"]["Ir"] for r in three), sum(r["inclusive"]["Ir"] for r in three)), f"--fold-generics, N={n}")

# Crates: own costs are those of their functions; inclusive ones are known from who calls whom.
for i, n in enumerate(steps):
    functions = views["function"][i]["functions"]
    inclusive = {r["name"]: r["inclusive"]["Ir"] for r in functions}
    for crate, version, source in (app, engine, toolbox):
        got = row("crate", i, crate=crate, version=version, source=source)
        its = [r for r in functions if (r["crate"], r["version"], r["source"]) == (crate, version, source)]
        is_((got["self"]["Ir"], got.get("calls")), (sum(r["self"]["Ir"] for r in its), sum(r["calls"] for r in its)),
            f"{crate}, N={n}: own costs and calls are its functions'")
        is_(got.get("bound"), "exact", f"{crate}, N={n}: its inclusive cost is exact")
        got = got["inclusive"]["Ir"]
        if crate == "app-main":
            is_(got, inclusive["app_main::main"], f"{crate}, N={n}: on the stack while main is")
        if crate == "engine-core":
            is_(got, inclusive["engine_core::step"] + inclusive["engine_core::Buffers::new"], f"{crate}, N={n}: while step or new are")
    # walk leads back to itself through core, which is on the stack all the time: it is what runs main.
    is_(row("crate", i, crate="core").get("bound"), "exact", f"core, N={n}: recursion through it costs nothing that is not counted")
    for r in views["crate"][i]["groups"]:
        if not r["self"]["Ir"] <= r["inclusive"]["Ir"] <= views["crate"][i]["totals"]["Ir"]:
            is_(r, None, "no crate has less than its own cost, or more than the program")


def line_with(path, text):
    with open(f"{folder}/{path}", encoding="utf-8") as file:
        return next(i for i, its in enumerate(file, 1) if text in its)


# Lines: with what they call.
engine_source = f"{folder}/workspace/engine/src/lib.rs"
mix, again = line_with("workspace/engine/src/lib.rs", "tools::mix("), line_with("workspace/engine/src/lib.rs", "|_| walk(")
for i, n in enumerate(steps):
    got = row("line", i, file=engine_source, line=mix)
    is_((got.get("bound"), (got["inclusive"]["Ir"] or 0) - (got["self"]["Ir"] or 0)),
        ("exact", row("function", i, name="tools::mix")["inclusive"]["Ir"]), f"N={n}: the line that calls mix costs what mix does")
    is_(row("line", i, file=engine_source, line=again).get("bound"), "least", f"N={n}: that of a recursive call is a lower bound")

# Blame: memcpy stands at the line of `copy` that calls it, and nowhere else as often.
line = line_with("toolbox/src/lib.rs", "copy_from_slice")
copies = [row("blame", i, function="tools::copy", line=line) for i in range(len(steps))]
# Where the library's wrapper of it has a cost, both are one charge: copying.
copied = [sum(c["cost"]["Ir"] for c in r.get("by", []) if c["crate"] == "libc" or c["name"] == "copying") for r in copies]
names = ["__memcpy", "__memmove"]
if any(c["name"] == "copying" for c in copies[0].get("by", [])):
    names += ["core::ptr::copy_nonoverlapping::<u8>", "core::intrinsics::copy_nonoverlapping::<u8>"]
each = slope(copied, "what copying costs for copy")
every = slope([sum(r["self"]["Ir"] for r in d["functions"] if r["name"].startswith(tuple(names))) for d in views["function"]],
              "what memcpy costs in all")
is_((each, each > 0), (every, True), "all that a step's memcpy costs is charged to the line that calls it")
for i, n in enumerate(steps):
    rows = views["blame"][i]["blame"]
    is_(sorted({r["source"] for r in rows if r["function"]}), ["own"], f"N={n}: none but own code is charged")
    is_([r["function"] for r in rows if not r["file"]], [None], f"N={n}: and one row is of no own code")
    is_(all(r["total"]["Ir"] == r["self"]["Ir"] + r["foreign"]["Ir"] for r in rows), True, f"N={n}: what a line is charged with is its own cost and others'")
    is_(all(r["foreign"]["Ir"] == sum(c["cost"]["Ir"] for c in r["by"]) for r in rows), True, f"N={n}: and others' is that of the functions that are named")
    own = {s: sum(f["self"]["Ir"] for f in views["function"][i]["functions"] if f["source"] == s) for s in ("own", "std", "libc")}
    is_(sum(r["self"]["Ir"] for r in rows), own["own"], f"N={n}: own costs are those of own functions")
    # What functions of std and libc do together, as copying, is one charge without a source.
    charged = {s: sum(c["cost"]["Ir"] for r in rows for c in r["by"] if c["source"] == s) for s in ("std", "libc", None)}
    is_(sum(charged.values()), own["std"] + own["libc"], f"N={n}: all of std and libc is charged, once")
    is_([s for s in ("std", "libc") if not 0 < charged[s] <= own[s]], [], f"N={n}: neither std nor libc is charged with the other's costs")
    is_([c["name"] for r in rows for c in r["by"] if c["source"] is None and c["name"] in {f["name"] for f in views["function"][i]["functions"]}], [],
        f"N={n}: and no function lacks a source")
    linking = [c for r in rows for c in r["by"] if c["name"] == "dynamic linking"]
    is_({c["source"] for c in linking} <= {"libc"}, True, f"N={n}: what libc's functions do together is libc's")
print(f"1..{count}" if count else "Bail out!", file=sys.stderr)
