"""made-programs.py make SEED KIND DIR - writes a program of random calls, as assembly, and what a profile of it has to say.
made-programs.py judge DIR PROFILE.json - compares a profile, as our JSON, with that; prints each difference.

Each call costs fuel, which the main function fills in, so that any graph of calls ends. KIND says how the symbols are:

  typed      with type and size                     unsized    with type, without size
  short      with sizes that are too small          untyped    global ones, without type and size
  labels     local ones, without type and size      mixed      any of these
  stripped   typed; the test strips the program      described  the same with unwind entries
  blob       no symbols: the test copies the code to memory of its own
"""
import json
import os
import random
import sys

SYMBOLS = {"typed", "unsized", "short", "untyped", "labels"}


class Function:
    def __init__(self, name, kind):
        self.name, self.kind, self.body, self.tail = name, kind, [], None


def make(rng, kind):
    """Functions with bodies of ("burn", n), ("call", callee), ("pointer", callee), and maybe a callee that they jump to in the end."""
    functions = [
        Function(f"f{i}", kind if kind in SYMBOLS else rng.choice(sorted(SYMBOLS)) if kind == "mixed" else "typed")
        for i in range(rng.randrange(4, 14))
    ]
    for f in functions:
        for _ in range(rng.randrange(1, 5)):
            if rng.random() < 0.4:
                f.body.append(("burn", rng.randrange(1, 40)))
            else:
                f.body.append((rng.choice(["call", "call", "pointer"]), rng.choice(functions)))
        if rng.random() < 0.25:
            f.tail = rng.choice([g for g in functions if g is not f])
    rng.shuffle(functions)
    tops = [(rng.choice(functions), rng.choice([0, 1, 7, 60, 400])) for _ in range(rng.randrange(1, 6))]
    # Code without a symbol is a function once it was called.
    return functions, [(f.tail, 0) for f in functions if f.tail] + tops


def guarded(lines, instruction):
    lines += ["decl (%rdi)", "js 7f", instruction, "7:"]


def assembly(functions, tops, kind):
    """Labels of functions have a prefix, so that no symbol table has them: where they have symbols, these stand beside them."""
    lines = [".text"]
    order = {f: n for n, f in enumerate(functions)}
    if kind == "blob":
        lines += [".globl blob", "blob:"]
    lines += [".globl entry", ".type entry,@function", "entry:"]
    if kind == "described":
        lines.append(".cfi_startproc")
    for f, fuel in tops:
        lines += [f"movl ${fuel},(%rdi)", f"call .L{f.name}"]
    lines.append("ret")
    if kind == "described":
        lines.append(".cfi_endproc")
    lines.append(".size entry,.-entry")
    for f in functions:
        if order[f] % 3 == 0:
            lines.append(".p2align 4")
        lines.append(f".L{f.name}:")
        if kind != "blob":
            if f.kind != "labels":
                lines.append(f".globl {f.name}")
            if f.kind in ("typed", "unsized", "short"):
                lines.append(f".type {f.name},@function")
            if f.kind == "short":
                lines.append(f".size {f.name},1")
            lines.append(f"{f.name}:")
        if kind == "described":
            lines.append(".cfi_startproc")
        for what, value in f.body:
            if what == "burn":
                lines += [f"movl ${value},%ecx", "6: decl %ecx", "jnz 6b"]
            elif what == "call":
                guarded(lines, f"call .L{value.name}")
            else:
                lines.append(f"leaq .L{value.name}(%rip),%rax")
                guarded(lines, "call *%rax")
        if f.tail:
            guarded(lines, f"jmp .L{f.tail.name}")
        lines.append("ret")
        if kind == "described":
            lines.append(".cfi_endproc")
        if f.kind == "typed" and kind != "blob":
            lines.append(f".size {f.name},.-{f.name}")
    if kind == "blob":
        lines += [".globl blob_end", "blob_end:"]
    lines.append('.section .note.GNU-stack,"",@progbits')
    return "\n".join(lines) + "\n"


class Run:
    """The program as it runs: own and inclusive instructions, and calls, of each function; each instruction counts once."""

    def __init__(self, is_blob):
        self.time, self.fuel, self.is_blob = 0, 0, is_blob
        self.own, self.inclusive, self.calls, self.depth = {}, {}, {}, {}
        self.edges = {}

    def name(self, f):
        return "???" if self.is_blob else f if isinstance(f, str) else f.name

    def spend(self, f, n):
        self.time += n
        self.own[f] = self.own.get(f, 0) + n

    def open(self, f):
        self.calls[f] = self.calls.get(f, 0) + 1
        self.depth[f] = self.depth.get(f, 0) + 1
        if self.depth[f] == 1:
            self.inclusive[f] = self.inclusive.get(f, 0) - self.time

    def close(self, f):
        self.depth[f] -= 1
        if self.depth[f] == 0:
            self.inclusive[f] += self.time

    def has_fuel(self, name):
        self.fuel -= 1
        self.spend(name, 3 if self.fuel >= 0 else 2)
        return self.fuel >= 0

    def call(self, f):
        name = self.name(f)
        self.open(name)
        for what, value in f.body:
            if what == "burn":
                self.spend(name, 1 + 2 * value)
                continue
            if what == "pointer":
                self.spend(name, 1)
            if self.has_fuel(name):
                self.call(value)
        jumped = f.tail and self.has_fuel(name)
        if jumped:
            self.call(f.tail)
        else:
            self.spend(name, 1)
        self.close(name)

    def entry(self, tops):
        name = self.name("entry")
        self.open(name)
        for f, fuel in tops:
            self.spend(name, 2)
            self.fuel = fuel
            self.call(f)
        self.spend(name, 1)
        self.close(name)


def write(seed, kind, folder):
    rng = random.Random(f"{seed} {kind}")
    functions, tops = make(rng, kind)
    sys.setrecursionlimit(100000)
    run = Run(kind == "blob")
    run.entry(tops)
    with open(os.path.join(folder, "made.s"), "w", encoding="ascii") as file:
        file.write(assembly(functions, tops, kind))
    expected = {name: [run.calls[name], run.own[name], run.inclusive[name]] for name in run.calls}
    with open(os.path.join(folder, "expected.json"), "w", encoding="ascii") as file:
        json.dump(expected, file)


def judge(folder, profile):
    """Functions of a stripped program are called by their addresses, which `symbols` (nm of the program before) has."""
    with open(os.path.join(folder, "expected.json"), encoding="ascii") as file:
        expected = json.load(file)
    with open(profile, encoding="utf-8", errors="surrogateescape") as file:
        rows = json.load(file)["functions"]
    names = {}
    if os.path.exists(os.path.join(folder, "symbols")):
        with open(os.path.join(folder, "symbols"), encoding="ascii") as file:
            for line in file:
                fields = line.split()
                if len(fields) == 3 and (fields[2] in expected or fields[1] in "tT"):
                    names["+0x%x" % int(fields[0], 16)] = fields[2]
    found = {}
    for row in rows:
        name = row["name"]
        name = names.get(name[name.rfind("+") :], name) if "+0x" in name else name
        if name == "???" and row["object"] != "[anonymous]":
            continue
        if name in expected:
            got = [row["calls"], row["self"]["Ir"], row["inclusive"]["Ir"]]
            if name in found:
                got = ["twice", found[name], got]
            found[name] = got
        elif name.startswith("made"):
            found[name] = [row["calls"], row["self"]["Ir"], row["inclusive"]["Ir"]]
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            print(name, "should be", expected.get(name), "is", found.get(name))


if sys.argv[1] == "make":
    write(sys.argv[2], sys.argv[3], sys.argv[4])
else:
    judge(sys.argv[2], sys.argv[3])
