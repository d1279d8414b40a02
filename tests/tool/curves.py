#!/usr/bin/env python3
"""curves.py RAW OTHER SIZE [OTHER SIZE...]: compares the misses of a last level of SIZE bytes that the curves of the profile RAW tell with those that
the profile OTHER counted, in all and at each instruction. Prints "ILmr DLmr DLmw" of both, with " of " between them, and the first
instructions that differ.

curves.py RAW SIZE: only those of RAW. curves.py sizes RAW N: N of its sizes, from the least to the largest.
curves.py misses RAW NAME SIZE,... PROGRAM.nm: those in the function NAME, or the variable NAME with --data, a line for each size. The
symbols of PROGRAM are in PROGRAM.nm, by nm -S."""
import sys
from collections import defaultdict

LAST = ["ILmr", "DLmr", "DLmw"]
KINDS = {"i": 0, "r": 1, "w": 2}


class Raw:
    def __init__(self, path):
        self.sizes, counted, self.objects, self.data = [], [], {}, []
        self.code, self.curves, self.data_curves = defaultdict(lambda: [0, 0, 0]), [], []
        for line in open(path, errors="replace"):
            fields = line.split()
            if line.startswith("counted:"):
                counted = fields[1:]
            elif line.startswith("curve-sizes:"):
                self.sizes = [int(size) for size in fields[1:]]
            elif line[1:2] != " ":
                continue
            elif line[0] == "o":
                self.objects[fields[1]] = fields[3]
            elif line[0] == "m":
                for name, value in zip(counted, fields[3:]):
                    if name in LAST and int(value):
                        self.code[self.place(fields[1:3])][LAST.index(name)] += int(value)
            elif line[0] == "d":
                self.data.append(fields[2:])
            elif line[0] == "c":
                self.curves.append((self.place(fields[2:4]), KINDS[fields[4]], self.steps(fields[5:])))
            elif line[0] == "l":
                self.data_curves.append((int(fields[1]), KINDS[fields[2]], self.steps(fields[3:])))

    def place(self, fields):
        return self.objects[fields[0]], int(fields[1], 16)

    def steps(self, fields):
        return [(int(step), int(n)) for step, n in zip(fields[::2], fields[1::2])]

    def misses(self, steps, size):
        return sum(n for step, n in steps if not step or self.sizes[step - 1] > size)

    def at(self, size):
        """The misses of a cache of this size, by places."""
        places = defaultdict(lambda: [0, 0, 0])
        for place, kind, steps in self.curves:
            n = self.misses(steps, size)
            if n:
                places[place][kind] += n
        return places


def total(places):
    return " ".join(str(sum(counts[kind] for counts in places.values())) for kind in range(3))


def compare(raw, other, size):
    ours, theirs = raw.at(size), Raw(other).code
    print(total(ours), "of", total(theirs))
    differ = [place for place in set(ours) | set(theirs) if ours.get(place) != theirs.get(place)]
    for place in sorted(differ)[:10]:
        print(place, "ours", ours.get(place), "theirs", theirs.get(place))


def choose(raw, n):
    sizes = Raw(raw).sizes
    print(*sorted({sizes[i * (len(sizes) - 1) // (n - 1)] for i in range(n)}))


def misses(raw, name, sizes, symbols):
    r = Raw(raw)
    start = end = 0
    for line in open(symbols):
        fields = line.split()
        if len(fields) == 4 and fields[3] == name:
            start, end = int(fields[0], 16), int(fields[0], 16) + int(fields[1], 16)
    for size in [int(size) for size in sizes.rstrip(",").split(",")]:
        counts = [0, 0, 0]
        for place, kind, steps in r.curves:
            if place[0].endswith(symbols[: -len(".nm")]) and start <= place[1] < end:
                counts[kind] += r.misses(steps, size)
        for datum, kind, steps in r.data_curves:
            if r.data[datum][0] == "variable" and r.data[datum][4] == name:
                counts[kind] += r.misses(steps, size)
        print(*counts)


if sys.argv[1] == "sizes":
    choose(sys.argv[2], int(sys.argv[3]))
elif sys.argv[1] == "misses":
    misses(*sys.argv[2:])
elif len(sys.argv) == 3:
    print(total(Raw(sys.argv[1]).at(int(sys.argv[2]))))
else:
    profile = Raw(sys.argv[1])
    for other, size in zip(sys.argv[2::2], sys.argv[3::2]):
        compare(profile, other, int(size))
