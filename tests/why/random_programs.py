"""random_programs.py - programs of C that a seed makes, with one change each, for changes.py: what to expect follows from the change, by rule."""
import random

from planted import ALWAYS, Change

FUNCTIONS = 9
RANDOM = "random: " # how their kinds begin


class Program:
    """Functions, each of which has a loop and calls others behind it."""

    def __init__(self, chance):
        self.loops = [chance.randint(3, 30) for _ in range(FUNCTIONS)]
        self.more = [""] * FUNCTIONS # statements of the loop
        self.calls = [{} for _ in range(FUNCTIONS)] # callee: how often
        self.inlined = [i > 0 and chance.random() < 0.3 for i in range(FUNCTIONS)]
        self.names = ["f%d" % i for i in range(FUNCTIONS)]
        for i in range(1, FUNCTIONS):
            self.calls[chance.randrange(max(0, i - 3), i)][i] = chance.randint(1, 4)
        for i in range(FUNCTIONS - 1):
            if chance.random() < 0.4:
                self.calls[i].setdefault(chance.randrange(i + 1, min(i + 4, FUNCTIONS)), chance.randint(1, 3))

    def text(self):
        functions = []
        for i in reversed(range(FUNCTIONS)):
            calls = "".join(" for (int i = 0; i < %d; i++) { x ^= %s(x + i); HIDE(x); }" % (n, self.names[k]) for k, n in sorted(self.calls[i].items()))
            functions.append("static %s long %s(long x) { for (int i = 0; i < %d; i++) { x = x * %d + i; HIDE(x); %s }%s return x; }" %
                             (ALWAYS if self.inlined[i] else "KEEP", self.names[i], self.loops[i], 3 + 2 * i, self.more[i], calls))
        return "\n".join(functions) + "\nstatic KEEP long run(long n) { return f0(n); }"


def longer_loop(program, i, chance):
    program.loops[i] += chance.randint(2, 9)
    return program.names[i], "does more per call itself" + ("" if program.inlined[i] else "; its code differs")


def more_work(program, i, chance):
    program.more[i] = "x ^= x << %d; HIDE(x);" % chance.randint(1, 9)
    return program.names[i], "does more per call itself" + ("" if program.inlined[i] else "; its code differs")


def called_functions(program, i):
    return [k for k in program.calls[i] if not program.inlined[k]]


def per_call(program, i, times):
    """Of inlined code it is known how often the function is called that it is compiled into."""
    return r".* per call of \w+, .* before" if program.inlined[i] else times


def extra_call(program, i, chance):
    k = chance.choice(called_functions(program, i))
    program.calls[i][k] += 1
    n = program.calls[i][k]
    return program.names[i], "calls %s more often, " % program.names[k] + per_call(program, i, "%d times per call, %s before" % (n, n - 1))


def call_less(program, i, chance):
    k = chance.choice(called_functions(program, i))
    program.calls[i][k] -= 1
    n = program.calls[i][k]
    if n:
        return program.names[i], "calls %s less often, " % program.names[k] + per_call(program, i, "%s per call, %d before" % ("once" if n == 1 else "%d times" % n, n + 1))
    del program.calls[i][k]
    return program.names[i], "no longer calls %s" % program.names[k]


def new_call(program, i, chance):
    k = chance.choice([k for k in range(i + 1, FUNCTIONS) if k not in program.calls[i] and not program.inlined[k]])
    program.calls[i][k] = 1
    return program.names[i], "calls %s now, which other code had before" % program.names[k]


def lost_inlining(program, i, chance):
    program.inlined[i] = False
    callers = [program.names[k] for k in range(FUNCTIONS) if i in program.calls[k]]
    return "|".join(callers), "%s is no longer inlined" % program.names[i]


def found_inlining(program, i, chance):
    program.inlined[i] = True
    callers = [program.names[k] for k in range(FUNCTIONS) if i in program.calls[k]]
    return "|".join(callers), "%s is inlined now" % program.names[i]


def renamed(program, i, chance):
    old, program.names[i] = program.names[i], "g%d" % i
    program.loops[i] += 1
    callers = [program.names[k] for k in range(FUNCTIONS) if i in program.calls[k]]
    # One that costs more than twice as much is called now, and the other one no longer.
    return "|".join([*callers, program.names[i]]), "seems to be %s under another name|calls %s now, which did not run before" % (old, program.names[i])


# Name, what it does, and the functions that it can be done to.
CHANGES_OF = [
    ("longer loop", longer_loop, lambda p, i: True), ("more work in a loop", more_work, lambda p, i: True), ("extra call", extra_call, called_functions),
    ("one call less", call_less, called_functions),
    ("call of another function", new_call, lambda p, i: any(k not in p.calls[i] and not p.inlined[k] for k in range(i + 1, FUNCTIONS))),
    ("lost inlining", lost_inlining, lambda p, i: p.inlined[i]), ("found inlining", found_inlining, lambda p, i: i > 0 and not p.inlined[i]),
    ("another name", renamed, lambda p, i: i > 0 and not p.inlined[i])]


def random_change(seed):
    """The Change of a seed; of each eight one of each kind."""
    kind, change, can = CHANGES_OF[seed % len(CHANGES_OF)]
    for attempt in range(100):
        chance = random.Random(100 * seed + attempt)
        program = Program(chance)
        fits = [i for i in range(FUNCTIONS) if can(program, i)]
        if fits:
            break
    old = program.text()
    where, says = change(program, chance.choice(fits), chance)
    return Change(RANDOM + kind, "seed %d" % seed, "c", "«%s¦%s»" % (old, program.text()), where, says)
