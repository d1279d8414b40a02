#!/usr/bin/env python3
"""line-use.py RAW PROGRAM: what the profile RAW says of the use of lines, for each function of PROGRAM, and for all code:

    columns   LINES USED

The program's symbols are those that nm -S --defined-only has written to PROGRAM.nm.

line-use.py replay TRACE PROGRAM SIZE,WAYS: the same of an independent model of D1, from what lackey --trace-mem=yes wrote."""
import bisect
import sys
from collections import defaultdict

LINE = 64


class Functions:
    def __init__(self, program):
        fields = [line.split() for line in open(program + ".nm")]
        self.symbols = sorted((int(f[0], 16), int(f[1], 16), f[3]) for f in fields if len(f) == 4 and f[2] in "tTwWi")
        self.starts = [s[0] for s in self.symbols]

    def at(self, address):
        """The first of the longest names of a place."""
        i = bisect.bisect_right(self.starts, address) - 1
        while i > 0 and self.symbols[i - 1][0] == self.symbols[i][0]:
            i -= 1
        return self.symbols[i][2] if i >= 0 and address < max(s[0] + s[1] for s in self.symbols[i : i + 9] if s[0] == self.symbols[i][0]) else "-"


class Line:
    def __init__(self, number, function):
        self.number, self.function, self.used = number, function, set()


class Cache:
    """LRU, of sets; what it holds is in lists, the least recent first. Line 0 is in it at first, as in cachegrind's."""

    def __init__(self, size, ways):
        self.ways, self.n, self.counts = ways, size // ways // LINE, defaultdict(lambda: [0, 0])
        self.sets = [[] for _ in range(self.n)]
        self.sets[0].append(Line(0, None))

    def evict(self, line):
        if line.function:
            self.counts[line.function][0] += 1
            self.counts[line.function][1] += len(line.used)

    def refer(self, number, function):
        lines = self.sets[number % self.n]
        found = next((i for i in lines if i.number == number), None)
        if found:
            lines.remove(found)
        else:
            if len(lines) == self.ways:
                self.evict(lines.pop(0))
            found = Line(number, function)
        lines.append(found)
        return found

    def access(self, address, size, function):
        size = min(size, LINE)
        first, last = address // LINE, (address + size - 1) // LINE
        for number in sorted({first, last}):
            line = self.refer(number, function)
            line.used.update(range(max(address, number * LINE) % LINE, min(address + size, (number + 1) * LINE) - number * LINE))

    def end(self):
        for line in [line for lines in self.sets for line in lines]:
            self.evict(line)


def show(counts):
    for name in sorted(counts):
        print(name, *counts[name])
    print("-- all", *[sum(c[i] for c in counts.values()) for i in range(2)])


def replay(trace, program, geometry):
    d1, functions, names = Cache(*[int(n) for n in geometry.split(",")]), Functions(program), {}
    for line in open(trace, errors="replace"):
        if line[:2] == "I ":
            place = line[2:].partition(",")[0]
        elif line[:3] in (" L ", " S ", " M "):
            address, _, size = line[3:].partition(",")
            if place not in names:
                names[place] = functions.at(int(place, 16))
            d1.access(int(address, 16), int(size), names[place])
    d1.end()
    show(d1.counts)


def profile(raw, program):
    functions, counts, objects = Functions(program), defaultdict(lambda: [0, 0]), {}
    for line in open(raw, errors="replace"):
        fields = line.split()
        if line.startswith("o "):
            objects[fields[1]] = fields[3]
        elif line.startswith("j "):
            of = counts[functions.at(int(fields[4], 16)) if objects[fields[3]] == program else "-"]
            of[0] += int(fields[12])
            of[1] += int(fields[13])
    show(counts)


if sys.argv[1] == "replay":
    replay(*sys.argv[2:])
else:
    profile(*sys.argv[1:])
