#!/usr/bin/env python3
"""data.py RAW PROGRAM: what the profile RAW says of data, a line for each piece of data and for each place that misses in it, with the
names of PROGRAM's symbols, which nm -S --defined-only has written to PROGRAM.nm:

    blocks make_list          D1mr DLmr D1mw DLmw
    blocks make_list: walk    D1mr DLmr D1mw DLmw  LEAST STRIDE

and, at the end, the sums over all data, and those of the program:

    -- all D1mr DLmr D1mw DLmw of D1mr DLmr D1mw DLmw

data.py replay TRACE PROGRAM NAME=START:SIZE...: the same of an independent model of D1, for the program's variables and the blocks that
are named, from what lackey --trace-mem=yes wrote."""
import bisect
import re
import sys
from collections import OrderedDict, defaultdict


class Symbols:
    def __init__(self, program, kinds):
        self.symbols = []
        for line in open(program + ".nm"):
            fields = line.split()
            if len(fields) == 4 and fields[2].lower() in kinds:
                self.symbols.append((int(fields[0], 16), int(fields[1], 16), fields[3]))
        # Of several names of one place the longest data, and then the plainest name, as the tool has it.
        self.symbols.sort(key=lambda s: (s[0], -s[1], s[2].startswith("_"), s[2]))
        self.symbols = [s for i, s in enumerate(self.symbols) if not i or s[0] != self.symbols[i - 1][0]]
        self.starts = [s[0] for s in self.symbols]

    def at(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        return self.symbols[i] if i >= 0 and address < self.symbols[i][0] + self.symbols[i][1] else None


class Raw:
    def __init__(self, path, program):
        self.functions = Symbols(program, "tw")
        self.objects, self.contexts, self.data, self.files = {}, [], [], []
        self.touches, self.totals, counted = [], defaultdict(int), []
        for line in open(path, errors="replace"):
            fields = line.split()
            if line.startswith("counted:"):
                counted = fields[1:]
            elif line[1:2] != " ":
                continue
            elif line[0] == "o":
                self.objects[fields[1]] = fields[3]
            elif line[0] in "nty":
                self.contexts.append(fields)
            elif line[0] == "m":
                for name, value in zip(counted, fields[3:]):
                    self.totals[name] += int(value)
            elif line[0] == "g":
                self.files.append(fields[3])
            elif line[0] == "d":
                self.data.append(fields[2:])
            elif line[0] == "j":
                self.touches.append(fields[1:8] + [int(n) for n in fields[8:]] + [0] * (12 - len(fields)))
        self.program = program

    def function(self, object_, address):
        symbol = self.functions.at(int(address, 16)) if self.objects.get(object_) == self.program else None
        return symbol[2] if symbol else None

    def maker(self, context):
        while context != "-":
            c = self.contexts[int(context)]
            name = self.function(c[3], c[4]) if c[0] == "n" else None
            if name and not re.search("alloc|memalign", name):
                return name
            context = c[2]
        return "-"

    def name(self, datum):
        if datum[0] == "blocks":
            return "blocks " + self.maker(datum[1])
        if datum[0] == "stack":
            return "stack " + (self.function(datum[1], datum[2]) or "-")
        if datum[0] == "file":
            return "file " + self.files[int(datum[1])].split("/")[-1]
        return datum[0] + (" " + datum[4] if datum[0] in ("variable", "section") else "")


def show(raw):
    sums, places = OrderedDict(), OrderedDict()
    for datum, _, object_, address, least, stride, _, *counts in raw.touches:
        name = raw.name(raw.data[int(datum)])
        function = raw.function(object_, address) or "-"
        for table, key in ((sums, name), (places, (name, function))):
            old = table.setdefault(key, [0, 0, 0, 0, set()])
            for i in range(4):
                old[i] += counts[i]
            old[4].add(least + " " + stride)
    for name, values in sums.items():
        print(name, *values[:4])
    for (name, function), values in places.items():
        print(f"{name}: {function}", *values[:4], *sorted(values[4]))
    print("-- all", *[sum(t[7 + i] for t in raw.touches) for i in range(4)], "of", *[raw.totals[e] for e in ("D1mr", "DLmr", "D1mw", "DLmw")])


class Cache:
    """LRU, of sets; what it holds is in lists, the least recent first."""

    def __init__(self, size, ways, line):
        self.line, self.ways, self.n = line, ways, size // ways // line
        self.sets = [[] for _ in range(self.n)]

    def refer(self, number):
        lines = self.sets[number % self.n]
        hit = number in lines
        if hit:
            lines.remove(number)
        elif len(lines) == self.ways:
            lines.pop(0)
        lines.append(number)
        return not hit

    def access(self, address, size):
        first, last = address // self.line, (address + size - 1) // self.line
        missed = self.refer(first)
        if last != first:
            missed |= self.refer(last)
        return missed


def replay(trace, program, blocks):
    d1, variables = Cache(32768, 8, 64), Symbols(program, "bdrv")
    ranges = [(name, int(start, 16), int(size)) for name, start, size in (re.split("[=:]", b) for b in blocks)]
    counts = defaultdict(lambda: [0, 0])
    for line in open(trace, errors="replace"):
        match = re.match(r" ([LSM]) ([0-9a-f]+),(\d+)$", line.rstrip("\n"))
        if not match:
            continue
        address = int(match[2], 16)
        if not d1.access(address, int(match[3])):
            continue
        symbol = variables.at(address)
        name = "variable " + symbol[2] if symbol else None
        for block, start, size in ranges:
            if start <= address < start + size:
                name = "blocks " + block
        if name:
            counts[name][match[1] == "S"] += 1
    for name in sorted(counts):
        print(name, *counts[name])


if sys.argv[1] == "replay":
    replay(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    show(Raw(sys.argv[1], sys.argv[2]))
