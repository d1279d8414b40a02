"""firefox.py FILE [sums]: a profile of Firefox Profiler's processed format, as tests/data/firefox.schema.json describes it. Without more,
checks what no schema can: columns as long as their tables, numbers of rows that are there, stacks behind those below them, inlined frames
at the address of what they are inlined into, times that rise; prints what is wrong. With sums, prints "OWN INCLUSIVE NAME" for each
function with any, a sample counted once for each function on its stack."""
import collections
import json
import sys

profile = json.load(open(sys.argv[1], encoding="utf-8"))
shared, threads = profile["shared"], profile["threads"]
stacks, frames, functions = shared["stackTable"], shared["frameTable"], shared["funcTable"]


def check():
    tables = {name: table for name, table in shared.items() if name != "stringArray"}
    for i, thread in enumerate(threads):
        tables["samples of thread %d" % i] = thread["samples"]
    for name, table in tables.items():
        for key, column in table.items():
            if isinstance(column, list) and len(column) != table["length"]:
                yield "%s.%s has %d values, not %d" % (name, key, len(column), table["length"])
    texts, libs, sources = len(shared["stringArray"]), len(profile["libs"]), shared["sources"]["length"]
    refers = [("stackTable", "frame", frames["length"]), ("frameTable", "func", functions["length"]), ("frameTable", "lib", libs),
              ("frameTable", "originalLocation", shared["sourceLocationTable"]["length"]), ("funcTable", "name", texts),
              ("funcTable", "resource", shared["resourceTable"]["length"]), ("funcTable", "source", sources),
              ("resourceTable", "name", texts), ("sources", "filename", texts), ("sourceLocationTable", "source", sources)]
    refers += [(name, "stack", stacks["length"]) for name in tables if name.startswith("samples")]
    for table, key, limit in refers:
        if any(value is not None and value >= limit for value in tables[table][key]):
            yield "%s.%s goes beyond %d" % (table, key, limit)
            return  # what follows goes by these numbers
    categories = profile["meta"]["categories"]
    for category, sub in zip(frames["category"], frames["subcategory"]):
        if category >= len(categories) or sub >= len(categories[category]["subcategories"]):
            yield "a frame of no category"
    for stack, (offset, frame) in enumerate(zip(stacks["prefixOffset"], stacks["frame"])):
        if offset > stack:
            yield "stack %d goes before the first" % stack
        depth = frames["inlineDepth"][frame]
        below = frames["inlineDepth"][stacks["frame"][stack - offset]] if offset else -1
        if depth and (not offset or depth != below + 1 or frames["address"][frame] != frames["address"][stacks["frame"][stack - offset]]):
            yield "stack %d is inlined into nothing" % stack
    for thread in threads:
        times = thread["samples"]["time"]
        if any(a >= b for a, b in zip(times, times[1:])):
            yield "times of '%s' do not rise" % thread["name"]


def sums():
    own, inclusive = collections.Counter(), collections.Counter()
    names = [shared["stringArray"][name] for name in functions["name"]]
    on_stack = []
    for offset, frame in zip(stacks["prefixOffset"], stacks["frame"]):
        function = frames["func"][frame]
        on_stack.append(on_stack[len(on_stack) - offset] | {function} if offset else frozenset([function]))
    for thread in threads:
        samples = thread["samples"]
        factor = 1000000 if samples["weightType"] == "tracing-ms" else 1
        for stack, weight in zip(samples["stack"], samples["weight"]):
            own[frames["func"][stacks["frame"][stack]]] += round(weight * factor)
            for function in on_stack[stack]:
                inclusive[function] += round(weight * factor)
    for function in inclusive:
        yield "%d %d %s" % (own[function], inclusive[function], names[function])


if len(sys.argv) > 2:
    print("\n".join(sorted(sums())))
else:
    found = list(check())
    print("\n".join(found[:5]))
    sys.exit(bool(found))
