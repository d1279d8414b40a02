#!/usr/bin/env python3
"""frames.py [-v] PROGRAM FILE - stacks of FILE, of perf record, as `perf script --inline` and as PROGRAM have them.

Each sample is put into one class; where the two differ, a third reader, llvm-symbolizer, says what is at the addresses:

    equal     the same frames, inlined ones among them
    lacking   ours are those of the third reader; perf lacks some inlined ones
    naming    ours are those of the third reader; perf has other names for frames
    completed ours begin with those of the third reader, and have callers that perf did not find
    worse     ours are not those of the third reader, perf's are
    neither   none is that of the third reader

Prints the classes with their counts, with -v the stacks of the last three, too. Names are compared without what demanglers write each
in their own manner: hashes, arguments, types. Names of one address (aliases) are one. Where the symbol table has another name for a
function than debug information, perf says that it is inlined: these are counted, and otherwise ignored."""

import bisect
import collections
import difflib
import functools
import itertools
import os
import re
import subprocess
import sys


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=True).stdout


def demangled(names):
    """{name: without its mangling}"""
    names = sorted(names)
    rust = run("c++filt", "-s", "rust", text="\n".join(names) + "\n").split("\n")
    both = run("c++filt", "-p", text="\n".join(rust)).split("\n")
    return dict(zip(names, both))


def bare(name):
    """A name without hash, arguments and types, down to what all demanglers agree on."""
    if re.fullmatch(r"\[unknown\]|\?+|(.*\+)?0x[0-9a-f]+", name):
        return "?"
    name = re.sub(r"::h[0-9a-f]{16}$", "", name)
    name = re.sub(r"@@?[A-Z].*$|\.(?:llvm|isra|part|constprop|cold)[.0-9]*", "", name)
    for code, sign in (("$LT$", "<"), ("$GT$", ">"), ("$u20$", " "), ("$u7b$", "{"), ("$u7d$", "}"), ("..", "::")):
        name = name.replace(code, sign)
    name = re.sub(r"(\{closure)[^}]*", r"\1", name).replace("{{", "{").replace("}}", "}")
    last = None
    while last != name:
        last = name
        name = re.sub(r"\([^()]*\)|\[[^\][]*\]|<[^<>]*>", "", name)
    name = re.sub(r"\b(const|dyn|mut)\b|[ &*]", "", name)
    return "::".join(part for part in name.split("::") if part)


class Elf:
    """Offsets and addresses of a file, and its aliases."""

    def __init__(self, path):
        self.segments = []
        for line in run("readelf", "-lW", path).split("\n"):
            fields = line.split()
            if fields[:1] == ["LOAD"]:
                self.segments.append((int(fields[1], 16), int(fields[2], 16), int(fields[4], 16)))

    def address(self, offset):
        for start, address, size in self.segments:
            if start <= offset < start + size:
                return offset - start + address
        return offset


@functools.cache
def symbols_of(path):
    """([(address, {names})] of a file and of its debug information, ascending; whether these are all functions)"""
    whole, at = False, collections.defaultdict(set)
    debug = re.search(r"Build ID: ([0-9a-f]{2})([0-9a-f]+)", run("readelf", "-n", path))
    files = [path] + ([f"/usr/lib/debug/.build-id/{debug[1]}/{debug[2]}.debug"] if debug else [])
    for file in files:
        for table in ([], ["-D"]):
            if os.path.exists(file):
                listed = subprocess.run(["nm", *table, file], capture_output=True, text=True, check=False).stdout
                whole |= bool(listed and not table)
                for line in listed.split("\n"):
                    fields = line.split()
                    if len(fields) == 3 and fields[1] in "tTwWiIuV":
                        at[int(fields[0], 16)].add(fields[2].split("@")[0])
    return sorted(at.items()), whole


FRAME = re.compile(r"^\s+([0-9a-f]+) (.*) \(([^()]*|\[[^]]*\]|.*\([^()]*\))\)$")


def perf_script(file, *options):
    """[[(address, name, object; None: inlined)]], the innermost first"""
    stacks = []
    text = run("perf", "script", "-i", file, *options, "-F", "comm,tid,time,event,ip,sym,dso")
    for block in re.split(r"\n\s*\n", text):
        found = [FRAME.match(line) for line in block.split("\n")[1:]]
        frames = [(int(one[1], 16), one[2], None if one[3] == "inlined" else one[3]) for one in found if one]
        frames = [frame for frame in frames if frame[0] != 2**64 - 1]  # the unwinder failed
        if frames:
            stacks.append(frames)
    return stacks


def perf_stacks(file):
    """[[(address, object, [(name, inlined)])]]: frames, the innermost first, with the lines that perf has for each."""
    stacks = []
    for plain, inlined in zip(perf_script(file, "--no-inline"), perf_script(file, "--inline"), strict=True):
        frames, at = [], 0
        for address, group in itertools.groupby(plain, key=lambda frame: frame[0]):
            calls, end = list(group), at
            while end < len(inlined) and inlined[end][0] == address:
                end += 1
            each = (end - at) // len(calls)  # recursion has several frames of one address
            for _, _, dso in calls:
                frames.append((address, dso, [(name, not its) for _, name, its in inlined[at : at + each]]))
                at += each
            assert at == end and each, (plain, inlined)
        assert at == len(inlined), (plain, inlined)
        stacks.append(frames)
    return stacks


def own_stacks(program, file):
    """Counter of stacks, the innermost first, of (name, inlined)"""
    stacks = collections.Counter()
    for line in run(program, "cprof", "export", "--format", "folded", "--names", "raw", "--sort", "Samples", file).split("\n"):
        if line:
            names, count = line.rsplit(" ", 1)
            frames = [(re.sub(r"_\[i\]$", "", name), name.endswith("_[i]")) for name in names.split(";") if name != "[stack cut off]"]
            stacks[tuple(reversed(frames))] += int(count)
    return stacks


def symbolized(places):
    """{(object, offset): [names, the innermost first]} by llvm-symbolizer, or by the table of symbols where that has no debug information"""
    known = {}
    by_object = collections.defaultdict(set)
    for path, offset in places:
        by_object[path].add(offset)
    for path, offsets in by_object.items():
        elf = Elf(path)
        offsets = sorted(offsets)
        asked = "".join(f"{elf.address(offset):#x}\n" for offset in offsets)
        answer = run("llvm-symbolizer", f"--obj={path}", "--inlines", "--functions=linkage", "--no-demangle", text=asked)
        for offset, block in zip(offsets, answer.split("\n\n")):
            names = block.strip().split("\n")[::2]
            symbols, whole = symbols_of(path)
            before = bisect.bisect([address for address, _ in symbols], elf.address(offset))
            if names == ["??"] and whole and before:
                names = [min(symbols[before - 1][1])]
            known[path, offset] = names
    return known


def called_from(stack, unwound):
    """The places of a stack's frames: perf itself goes back by one byte from return addresses that it unwinds, but not from others."""
    places, is_user = [], False
    for address, dso, _ in stack:
        places.append((dso, address - (is_user and not unwound)))
        is_user |= not dso.startswith("[kernel")
    return places


def third_stacks(stacks, unwound):
    """[[names of a frame, the innermost first]] of the third reader for each of perf's stacks; where it knows none they are perf's."""
    known = symbolized({place for stack in stacks for place in called_from(stack, unwound) if os.path.exists(place[0])})
    thirds = []
    for stack in stacks:
        third = []
        for place, (_, _, lines) in zip(called_from(stack, unwound), stack):
            names = known.get(place, ["??"])
            third.append([name for name, _ in lines] if names == ["??"] else names)
        thirds.append(third)
    return thirds


def is_stub(frames, i):
    """Of the linkage table, or the loader's resolver. The table's first entry has no symbol: other readers say _init, which stands before it."""
    name = frames[i][2][0][0]
    caller = frames[i + 1][2][0][0] if i + 1 < len(frames) else ""
    return bool(re.search("@plt$|^_dl_runtime_resolve", name)) or (name == "_init" and not re.search("call_init|^_dl_|^__libc_|^$", caller))


def without_stubs(frames, third):
    """Both without stubs, which are their callers' in ours."""
    left = [i for i in range(len(frames)) if not is_stub(frames, i)]
    return [frames[i] for i in left], [third[i] for i in left]


def flat(frames):
    """(name, inlined) of the names of frames"""
    return tuple((name, i + 1 < len(names)) for names in frames for i, name in enumerate(names))


class Names:
    """Names as they are compared."""

    def __init__(self, stacks, objects):
        every = {name for stack in stacks for name, _ in stack}
        self.same = {}  # of each name the one that it is compared as
        for path in objects:
            for _, group in symbols_of(path)[0]:
                known = {self.same.get(name, name) for name in group}
                self.same |= {name: min(known) for name in group | {name for name, same in self.same.items() if same in known}}
        self.shown = demangled(every | set(self.same.values()))

    def compared(self, name):
        name = self.same.get(name.split("@")[0], name)
        return bare(self.shown.get(name, name))

    def stack(self, stack):
        return tuple((self.compared(name), inlined) for name, inlined in stack)


def is_alike(name, other):
    """Debug information has functions without a linkage name, whose path a reader may not find."""
    if "::" in name and "::" in other:
        return name == other
    return name.split("::")[-1] == other.split("::")[-1]


def are_alike(stack, other):
    """Whether two stacks have the same frames."""
    return len(stack) == len(other) and all(a[1] == b[1] and is_alike(a[0], b[0]) for a, b in zip(stack, other))


def is_part(some, all_of):
    """Whether the frames of one stack are among those of another, in this order."""
    rest = iter(all_of)
    return all(any(are_alike((frame,), (other,)) for other in rest) for frame in some)


def take(own, stack, are_same=are_alike):
    """Takes this stack from the Counter, if it is there."""
    for other in own:
        if own[other] and are_same(other, stack):
            own[other] -= 1
            return True
    return False


def is_completed(stack, cut):
    """Whether a stack is another one with callers above."""
    return len(stack) > len(cut) and are_alike(stack[: len(cut)], cut)


def classed(samples, own):
    """The classes of samples; own, a Counter, loses what was found."""
    classes = [None] * len(samples)
    same = [are_alike(sample.perf, sample.third) for sample in samples]
    # Where perf lacks frames, its stack may be another sample's: those that are sure come first.
    for turn in ("same", "third", "perf"):
        for i, sample in enumerate(samples):
            if classes[i] or (turn == "same" and not same[i]) or not take(own, sample.perf if turn == "perf" else sample.third):
                continue
            if same[i] or turn == "perf":
                classes[i] = "equal"
            else:
                classes[i] = "lacking" if is_part(sample.perf, sample.third) else "naming"
    for i in range(len(samples)):
        if not classes[i] and take(own, samples[i].third, is_completed):
            classes[i] = "completed"
        elif not classes[i] and not samples[i].depth:
            classes[i] = "naming"  # a stub alone, which the other readers have no name for
        elif not classes[i]:
            classes[i] = "worse" if same[i] else "neither"
    return classes


class Sample:
    """A sample as perf and the third reader have it."""

    def __init__(self, frames, third, names):
        frames, third = without_stubs(frames, third)
        self.depth = len(frames)
        self.perf = names.stack(flat([[name for name, _ in lines] for _, _, lines in frames]))
        self.third = names.stack(flat(third))


def show(stack):
    return " < ".join(name + ("*" if inlined else "") for name, inlined in stack)


def nearest(stack, own):
    """The stack of ours that has most in common with this one."""
    return max(own, key=lambda other: difflib.SequenceMatcher(None, stack, other, False).ratio(), default=())


def main(arguments):
    verbose = arguments[:1] == ["-v"]
    program, file = arguments[verbose:]
    frames = perf_stacks(file)
    unwound = "STACK_USER" in run("perf", "evlist", "-v", "-i", file)
    own, third = own_stacks(program, file), third_stacks(frames, unwound)
    objects = {dso for stack in frames for _, dso, _ in stack if os.path.exists(dso)}
    perf = [tuple(line for _, _, lines in stack for line in lines) for stack in frames]
    names = Names(list(own) + perf + [flat(stack) for stack in third], objects)
    samples = [Sample(*pair, names) for pair in zip(frames, third)]
    ours = collections.Counter()
    for stack, count in own.items():
        ours[names.stack(stack)] += count
    if sum(ours.values()) != len(samples):
        sys.exit(f"frames.py: {sum(ours.values())} samples of ours, {len(samples)} of perf")
    classes = classed(samples, ours)
    counts = collections.Counter(classes)
    print(len(samples), "samples:", ", ".join(f"{name} {counts[name]}" for name in ("equal", "lacking", "naming", "completed", "worse", "neither")))
    print("functions that perf takes for inlined:", sum(lines[-1][1] for stack in frames for _, _, lines in stack))
    for sample, name in zip(samples, classes):
        if verbose and name not in ("equal", "completed"):
            print(f"{name}\n  perf  {show(sample.perf)}\n  third {show(sample.third)}")
            if name in ("worse", "neither"):
                print(f"  ours  {show(nearest(sample.third, +ours))}")


main(sys.argv[1:])
