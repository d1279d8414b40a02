#!/usr/bin/env python3
"""heap-callers.py raw FILE... | dhat FILE...: who called an allocation function, by Valgrind's own names: lines of NAME, blocks and bytes. A
reallocation is a block of its new size; a function that jumps to another one is none that calls it."""
import json
import re
import sys
from collections import defaultdict

FAMILY = re.compile(
    r"^((je_|mi_|tc_)?(malloc|calloc|realloc|reallocarray|memalign|aligned_alloc|posix_memalign|valloc|pvalloc|new[a-z_]*)|_Zn[wa][mj].*"
    r"|.*__r(ust|dl|g)_(alloc|realloc|alloc_zeroed))(@.*)?$")


def of_raw(path):
    names, contexts, sums, here = {}, {}, defaultdict(lambda: [0, 0]), None
    lines = open(path, errors="replace").read().splitlines()
    for line in lines:
        if line.startswith("f "):
            fields = line.split(" ", 3)
            names[fields[1], fields[2]] = fields[3]
    for line in lines:
        fields = line.split(" ")
        if fields[0] in "nty" and len(fields[0]) == 1:
            here = fields[1]
            is_code = fields[0] == "n"
            contexts[here] = (fields[2], names.get((fields[3], fields[4]), "???") if is_code else "[root]", is_code and fields[5] == "-")
        elif fields[0] == "h":
            counts = [int(n) for n in fields[3:6]] + [0] * 3
            at = here
            while FAMILY.match(contexts[at][1]):
                while contexts[at][2]:
                    at = contexts[at][0]
                at = contexts[at][0]
            total = sums[contexts[at][1]]
            total[0] += counts[0] + counts[1]
            total[1] += counts[2]
    return sums


def of_dhat(path):
    profile, sums = json.load(open(path, errors="replace")), defaultdict(lambda: [0, 0])
    names = [re.sub(r" \((in )?[^()]*\)$", "", frame.partition(": ")[2]) for frame in profile["ftbl"]]
    for point in profile["pps"]:
        frames = [names[i] for i in point["fs"]]
        caller = next((name for name in frames if not FAMILY.match(name)), "[root]")
        sums[caller][0] += point["tbk"]
        sums[caller][1] += point["tb"]
    return sums


if __name__ == "__main__":
    for file in sys.argv[2:]:
        for name, (blocks, size) in sorted((of_raw if sys.argv[1] == "raw" else of_dhat)(file).items()):
            if blocks:
                print(name, blocks, size)
