"""generate.py BUILD SEED [FUNCTIONS [CALLS]] - writes a program of which every instruction is known, works out what it costs, and compares that with
what cargo-cprof says: totals, each function's own and inclusive costs and calls, every call path, and of some functions every caller.

The program is assembly without libc: functions that call each other directly, by tables, by jumps at their end, in circles, as a generator of random
numbers in a register decides, until a budget of calls is used up; and threads that hand over to each other by pipes. Prints TAP.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

EVENTS = ("Ir", "Dr", "Dw")
MULTIPLIER, INCREMENT = 1103515245, 12345
THREADS, STACK = 3, 1 << 22


# --- the program: functions are lists of operations, each with what it costs

class Function:
    def __init__(self, name):
        self.name, self.operations = name, []


class Program:
    """Operations: ("work", cost, lines of assembly); ("guard", mask, label): goes on behind the label unless the budget and the random bits allow what
    follows; ("label", n); ("call", callee), ("call table", t), ("jump", callee), ("jump table", t), ("budget", n), ("return",)."""

    def __init__(self, seed, functions, calls):
        self.rng = random.Random(seed)
        self.tables = [[self.rng.randrange(functions) for _ in range(4)] for _ in range(functions // 8 + 1)]
        self.functions = [self.make_function(i, functions) for i in range(functions)]
        self.calls, self.lines, self.sites = calls, {}, {}
        self.threads = [self.make_driver("thread_%d" % k, k) for k in range(1, THREADS)]
        self.spawns = [Function("spawn_%d" % k) for k in range(1, THREADS)]
        self.main = self.make_driver("_start", 0)

    def make_work(self):
        # Each load is used, and comes after a store: Valgrind, and so the oracle, leaves out those that nobody needs.
        rng = self.rng
        kind = rng.randrange(4)
        if kind == 0:
            n = rng.randrange(1, 6)
            return ("work", (n, 0, 0), ["nop"] * n)
        if kind == 1:
            return ("work", (2, 1, 1), ["add (%rsp), %r15", "mov %r15, -64(%rsp)"])
        if kind == 2:
            n = rng.randrange(1, 20)
            return ("work", (1 + 2 * n, 0, 0), ["mov $%d, %%ecx" % n, "9: dec %ecx", "jnz 9b"])
        return ("work", (3, 1, 1), ["push %r15", "add (%rsp), %r15", "lea 8(%rsp), %rsp"])

    def callee(self, i, n):
        """Mostly one a little further on; at times one back, or the function itself: circles."""
        kind = self.rng.random()
        if kind < 0.6:
            return min(n - 1, i + 1 + self.rng.randrange(20))
        return (i - self.rng.randrange(8)) % n if kind < 0.8 else self.rng.randrange(n)

    def make_function(self, i, n):
        rng, f = self.rng, Function("f%d" % i)
        room = 16 * rng.randrange(4)
        enter = [("work", (1, 0, 0), ["sub $%d, %%rsp" % room])] if room else []
        leave = [("work", (1, 0, 0), ["add $%d, %%rsp" % room])] if room else []
        f.operations += enter + [self.make_work() for _ in range(rng.randrange(3))]
        label = 0
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
            f.operations.append(("guard", rng.choice([0, 0, 1 << 16, 1 << 17, 3 << 18]), label))
            f.operations.append(("call table", rng.randrange(len(self.tables))) if rng.random() < 0.3 else ("call", self.callee(i, n)))
            f.operations += [("label", label)] + [self.make_work() for _ in range(rng.randrange(2))]
            label += 1
        f.operations += leave
        if rng.random() < 0.35:
            to = self.callee(i, n)
            f.operations.append(("guard", rng.choice([0, 1 << 16, 1 << 20]), label))
            f.operations += [("jump table", rng.randrange(len(self.tables))) if rng.random() < 0.3 else ("jump", to), ("label", label)]
        f.operations.append(("return",))
        return f

    def system(self, number, *arguments):
        """A system call; arguments are words of assembly for mov, each of them one instruction."""
        registers = ("%rdi", "%rsi", "%rdx", "%r10", "%r8")
        lines = ["mov $%d, %%eax" % number] + ["mov %s, %s" % (a, r) for a, r in zip(arguments, registers)] + ["syscall"]
        return ("work", (len(lines), sum(not a.startswith("$") for a in arguments), 0), lines)

    def descriptor(self, pipe, end):
        """Of a pair that pipe() wrote: loads it into r13, by which it is an argument."""
        return ("work", (1, 1, 0), ["movslq pipes+%d, %%r13" % (8 * pipe + 4 * end)])

    def pass_on(self, number, pipe, end):
        lines = ["mov $%d, %%eax" % number, "mov %r13, %rdi", "mov $byte, %rsi", "mov $1, %rdx", "syscall"]
        return [self.descriptor(pipe, end), ("work", (5, 0, 0), lines)]

    def roots(self, count, budget):
        out = []
        for _ in range(count):
            out += [("budget", budget), ("call", self.rng.randrange(len(self.functions)))]
        return out

    def make_driver(self, name, k):
        """What a thread does: its share of calls, in turns with the others."""
        f, rounds, small = Function(name), 2, max(1, len(self.functions) // 40)
        budget = self.calls // (THREADS * rounds * 2)
        f.operations.append(("work", (1, 0, 0), ["mov $%d, %%r12d" % (7919 * k + 1)]))
        if k == 0:
            for pipe in range(THREADS):
                f.operations.append(self.system(22, "$pipes+%d" % (8 * pipe)))
            f.operations += [("spawn", j) for j in range(1, THREADS)]
        for _ in range(rounds):
            if k == 0:
                for j in range(1, THREADS):
                    f.operations += self.pass_on(1, j, 1) + self.pass_on(0, 0, 0)
            else:
                f.operations += self.pass_on(0, k, 0)
            f.operations += self.roots(small, max(3, budget // small)) + self.roots(1, budget)
            if k:
                f.operations += self.pass_on(1, 0, 1)
        if k == 0:
            for j in range(1, THREADS):
                f.operations.append(("work", (6, 1, 0), ["mov $202, %eax", "mov $tid_%d, %%edi" % j, "xor %esi, %esi", "movslq saved_%d, %%rdx" % j, "xor %r10d, %r10d", "syscall"]))
        f.operations.append(("work", (3, 0, 0), ["mov $%d, %%eax" % (60 if k else 231), "xor %edi, %edi", "syscall"]))
        f.operations.append(("end",))
        return f

    # --- as assembly

    def write(self, path):
        out = [".bss", ".balign 16"]
        for k in range(1, THREADS):
            out += ["stack_%d: .skip %d" % (k, STACK), "tid_%d: .skip 16" % k, "saved_%d: .skip 16" % k]
        out += ["pipes: .skip %d" % (8 * THREADS), "byte: .skip 8", ".data", ".balign 8"]
        for i, table in enumerate(self.tables):
            out.append("table_%d: .quad %s" % (i, ", ".join("f%d" % f for f in table)))
        out += [".text", ".globl _start"]
        for k, f in enumerate(self.spawns, 1):
            self.write_lines(out, f.name, ["mov $56, %eax", "mov $0x1350f00, %edi", "mov $stack_%d+%d, %%rsi" % (k, STACK - 64), "mov $tid_%d, %%rdx" % k,
                                           "mov $tid_%d, %%r10" % k, "xor %r8d, %r8d", "syscall", "test %eax, %eax", "jz 1f", "mov %%eax, saved_%d" % k, "ret",
                                           "1: call thread_%d" % k])
            self.sites[f.name, 0] = len(out) - 1
        for f in self.functions + self.threads + [self.main]:
            self.write_function(out, f)
        out += [".section .note.GNU-stack,\"\",@progbits"]
        with open(path, "w") as file:
            file.write("\n".join(out) + "\n")

    def write_lines(self, out, name, lines):
        out += [".type %s, @function" % name, "%s:" % name, *lines, ".size %s, .-%s" % (name, name)]

    def write_function(self, out, f):
        out += [".type %s, @function" % f.name, "%s:" % f.name]
        for i, o in enumerate(f.operations):
            kind = o[0]
            if kind == "work":
                out += o[2]
            elif kind == "guard":
                out += ["dec %rbx", "js .L%s_%d" % (f.name, o[2])]
                if o[1]:
                    out += ["imul $%d, %%r12d, %%r12d" % MULTIPLIER, "add $%d, %%r12d" % INCREMENT, "test $%d, %%r12d" % o[1], "jnz .L%s_%d" % (f.name, o[2])]
            elif kind == "label":
                out.append(".L%s_%d:" % (f.name, o[1]))
            elif kind == "budget":
                out.append("mov $%d, %%rbx" % o[1])
            elif kind == "return":
                out.append("ret")
            elif kind == "spawn":
                out.append("call spawn_%d" % o[1])
            elif kind in ("call", "jump"):
                out.append("%s f%d" % ("call" if kind == "call" else "jmp", o[1]))
            elif kind != "end":
                out += ["mov %r12d, %eax", "shr $8, %eax", "and $3, %eax", "%s *table_%d(,%%rax,8)" % (kind.split()[0].replace("jump", "jmp"), o[1])]
            if kind in ("call", "call table", "spawn"):
                self.sites[f.name, i] = len(out)
        out.append(".size %s, .-%s" % (f.name, f.name))


# --- what it costs

class Activity:
    """What was spent while something was on a thread's stack."""
    __slots__ = ("live", "start", "spent", "calls")

    def __init__(self):
        self.live, self.start, self.spent, self.calls = 0, None, [0, 0, 0], 0

    def begin(self, now):
        self.live += 1
        if self.live == 1:
            self.start = tuple(now)

    def finish(self, now):
        self.live -= 1
        if self.live == 0:
            self.spent = [s + n - b for s, n, b in zip(self.spent, now, self.start)]


class Node:
    __slots__ = ("name", "parent", "calls", "own", "children")

    def __init__(self, name, parent):
        self.name, self.parent, self.calls, self.own, self.children = name, parent, 0, [0, 0, 0], {}


class Model:
    """Runs the program, a thread after the other: nothing that they count depends on the order."""

    def __init__(self, program):
        self.program = program
        self.root = Node("[program]", None)
        self.functions, self.edges = {}, {}
        bodies = program.functions + program.threads + [program.main]
        self.index = {f.name: f for f in bodies}
        self.labels = {f.name: {o[1]: i for i, o in enumerate(f.operations) if o[0] == "label"} for f in bodies}
        self.run(1, [])
        for k in range(1, THREADS):
            self.run(k + 1, [])

    def child(self, node, name):
        """A call path's next node; a function that is on the path already is gone back to."""
        if name in node.children:
            return node.children[name]
        at = node
        while at and at.name != name:
            at = at.parent
        node.children[name] = at or Node(name, node)
        return node.children[name]

    def activity(self, table, key):
        if key not in table:
            table[key] = Activity()
        return table[key]

    def arrive(self, frames, name, edge, saved, jumped):
        f = self.activity(self.functions, name)
        e = self.activity(self.edges, edge)
        f.begin(self.now)
        e.begin(self.now)
        frames.append((name, edge, saved, jumped))

    def count(self, node, edge):
        node.calls += 1
        self.activity(self.functions, node.name).calls += 1
        self.activity(self.edges, edge).calls += 1

    def leave(self, frames, n):
        saved = None
        while len(frames) > n:
            name, edge, saved, _ = frames.pop()
            self.edges[edge].finish(self.now)
            self.functions[name].finish(self.now)
        return saved

    def spend(self, node, ir, dr=0, dw=0):
        for counts in (node.own, self.now):
            counts[0] += ir
            counts[1] += dr
            counts[2] += dw

    def jump(self, frames, node, name):
        """A call at a function's end: it hangs under that; one that the running call has come through is gone back to."""
        if node.name == name:
            return node
        edge = (node.name, name, 0)
        to, i = self.child(node, name), len(frames)
        while frames[i - 1][3] and frames[i - 1][0] != name:
            i -= 1
        if frames[i - 1][0] == name:
            self.leave(frames, i)
        else:
            self.arrive(frames, name, edge, node, True)
        self.count(to, edge)
        return to

    def call(self, frames, node, name, site):
        edge, to = (node.name, name, site), self.child(node, name)
        self.arrive(frames, name, edge, node, False)
        self.count(to, edge)
        return to

    def run(self, thread, frames):
        self.now = [0, 0, 0]
        base = self.root.children["[thread %d]" % thread] = Node("[thread %d]" % thread, self.root)
        sites, budget, bits = self.program.sites, 0, 0
        returns = []
        if thread == 1:
            node = self.child(base, "_start")
            self.arrive(frames, "_start", (base.name, "_start", 0), base, True)
            self.count(node, (base.name, "_start", 0))
        else:
            name = "spawn_%d" % (thread - 1)
            node = self.child(base, name)
            self.arrive(frames, name, (base.name, name, 0), base, True)
            self.spend(node, 3, 0, 1)
            node = self.call(frames, node, "thread_%d" % (thread - 1), sites[name, 0])
        function, at = self.index[node.name], 0
        while True:
            operation = function.operations[at]
            kind = operation[0]
            at += 1
            if kind == "work":
                self.spend(node, *operation[1])
                if operation[2][0].startswith("mov $") and operation[2][0].endswith("%r12d"):
                    bits = int(operation[2][0][5:].split(",")[0])
            elif kind == "guard":
                self.spend(node, 2)
                budget -= 1
                skip = budget < 0
                if not skip and operation[1]:
                    self.spend(node, 4)
                    bits = (bits * MULTIPLIER + INCREMENT) & 0xffffffff
                    skip = bool(bits & operation[1])
                if skip:
                    at = self.labels[function.name][operation[2]]
            elif kind == "budget":
                self.spend(node, 1)
                budget = operation[1]
            elif kind == "spawn":
                self.spend(node, 1, 0, 1)
                inner = self.call(frames, node, "spawn_%d" % operation[1], sites[function.name, at - 1])
                self.spend(inner, 11, 1, 1)
                node = self.leave(frames, len(frames) - 1)
            elif kind in ("call", "call table", "jump", "jump table"):
                to = operation[1]
                if kind.endswith("table"):
                    self.spend(node, 3)
                    to = self.program.tables[to][(bits >> 8) & 3]
                self.spend(node, 1, int(kind.endswith("table")), int(kind.startswith("call")))
                name = "f%d" % to
                if kind.startswith("call"):
                    returns.append((function, at))
                    node = self.call(frames, node, name, sites[function.name, at - 1])
                else:
                    node = self.jump(frames, node, name)
                function, at = self.program.functions[to], 0
            elif kind == "return":
                self.spend(node, 1, 1, 0)
                i = len(frames)
                while frames[i - 1][3]:
                    i -= 1
                node = self.leave(frames, i - 1)
                function, at = returns.pop()
            elif kind == "end":
                self.leave(frames, 0)
                return


# --- what cargo-cprof says

NODE = re.compile(r'\{"name": "((?:[^"\\]|\\.)*)", "calls": (\d+), "self": (\{[^}]*\}), "inclusive": (\{[^}]*\}), "children": \[|\]\}')


def read_tree(text):
    """{path: (calls, own costs)} of the tree in a document; it may be deeper than a reader of JSON likes."""
    out, path = {}, []
    for match in NODE.finditer(text):
        if match.group(1) is None:
            path.pop()
            continue
        path.append(match.group(1))
        own = json.loads(match.group(3))
        out[tuple(path)] = (int(match.group(2)), tuple(own[e] for e in EVENTS))
    return out


def tree_of(model):
    out, waiting = {}, [((model.root.name,), model.root)]
    while waiting:
        path, node = waiting.pop()
        out[path] = (node.calls, tuple(node.own))
        waiting += [(path + (name,), child) for name, child in node.children.items() if child.parent is node]
    return out


class Tap:
    def __init__(self):
        self.n, self.failed = 0, 0

    def is_equal(self, got, want, name):
        """Two dictionaries, key by key."""
        self.n += 1
        wrong = [k for k in sorted(set(got) | set(want), key=str) if got.get(k) != want.get(k)]
        self.failed += bool(wrong)
        print("%sok %d - %s: %d" % ("not " if wrong else "", self.n, name, len(want)))
        for k in wrong[:10]:
            print("# %s: %s, not %s" % (str(k)[-300:], got.get(k), want.get(k)))


def callers_of(cprof, profile, name, environment):
    done = subprocess.run([cprof, "callers", "--json", "-n", "0", "--", name, profile], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit("Bail out! callers %s: %s" % (name, done.stderr.strip()))
    return {(c["function"]["name"], c["site"]["line"] or 0): (c["calls"], tuple(c["inclusive"][e] for e in EVENTS)) for c in json.loads(done.stdout)["callers"]}


def compare(tap, program, model, cprof, folder):
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder, "XDG_STATE_HOME": os.path.join(folder, "state"), "NO_COLOR": "1"}
    for variable in ("CPROF_TOOL_DIR",):
        if variable in os.environ:
            environment[variable] = os.environ[variable]
    done = subprocess.run([cprof, "callgrind", "--cache-sim", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64", "--bin", os.path.join(folder, "program"),
                           "--json=tree"], capture_output=True, text=True, env=environment, cwd=folder, timeout=300)
    if done.returncode:
        raise SystemExit("Bail out! status %d: %s" % (done.returncode, done.stderr[-500:]))
    head = json.loads(done.stdout[:done.stdout.index('"tree":')].rstrip().rstrip(",") + "}")
    totals = [sum(n) for n in zip(*(own for _, own in tree_of(model).values()))]
    tap.is_equal({e: head["totals"][e] for e in EVENTS}, dict(zip(EVENTS, totals)), "events of the program")
    said = {f["name"]: (f["calls"], tuple(f["inclusive"][e] for e in EVENTS)) for f in head["functions"]}
    tap.is_equal(said, {name: (a.calls, tuple(a.spent)) for name, a in model.functions.items()}, "calls and inclusive costs of functions")
    tap.is_equal(read_tree(done.stdout[done.stdout.index('"tree":'):]), tree_of(model), "calls and costs of call paths")
    names = sorted(model.functions, key=lambda name: -model.functions[name].calls)[:15] + program.rng.sample(sorted(model.functions), min(15, len(model.functions)))
    got, want = {}, {}
    profile = os.path.join(folder, "state/cprof/last.cprof")
    for name in dict.fromkeys(n for n in names if n[0] == "f"):
        for (caller, line), value in callers_of(cprof, profile, name, environment).items():
            got[caller, name, line] = value
        for (caller, callee, line), a in model.edges.items():
            if callee == name:
                want[caller, callee, line] = (a.calls, tuple(a.spent))
    tap.is_equal(got, want, "calls and inclusive costs of callers, line by line")


def main():
    build, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    functions, calls = (int(sys.argv[3]) if len(sys.argv) > 3 else 3000), (int(sys.argv[4]) if len(sys.argv) > 4 else 120000)
    program = Program(seed, functions, calls)
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="cprof-generate.") as folder:
        source = os.path.join(folder, "program.s")
        program.write(source)
        made = subprocess.run([*os.environ.get("CC", "gcc").split(), "-g", "-nostdlib", "-static", "-no-pie", "-o", os.path.join(folder, "program"), source], capture_output=True, text=True)
        if made.returncode:
            print("1..0 # SKIP the compiler does not build it: %s" % made.stderr.strip()[-200:])
            return 0
        compare(tap, program, Model(program), os.path.join(build, "cargo-cprof"), folder)
    print("1..%d" % tap.n)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
