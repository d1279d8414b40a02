"""mutate.py BUILD [RUNS [SEED [FORM...]]] - attacks cargo-cprof, as it is built in BUILD, with mutated command lines and profiles.

Runs are made by BUILD/tests/attack/server, each in a process and a folder of its own, with little time and memory; one in $ATTACK_REAL (100) is
made by the program itself. A finding is a run that crashes, that a sanitizer stops, that takes too long or too much memory, that ends with a status
other than 0 to 3, fails without a message, succeeds without output, prints JSON that is none or whose numbers do not add up, changes its input, or
leaves files behind. Each is made smaller and kept in BUILD/tests/attack/found/, once for each place; the status is 1 where there is any.
$ATTACK_JOBS says how many run at once (2).
"""
import collections
import glob
import hashlib
import json
import os
import random
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import forms  # noqa: E402
import profiles  # noqa: E402

SECONDS, MEGABYTES = 10, 600
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SANITIZED = re.compile(rb"AddressSanitizer|LeakSanitizer|runtime error:|UndefinedBehaviorSanitizer")
# What the program prints to say why it failed.
MESSAGE = re.compile(rb"^cargo-cprof: error: .", re.M)
# What it says where it has nothing to print.
SAID = re.compile(rb"no baselines|folded has no lines")
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0:exitcode=99:quarantine_size_mb=8:allocator_may_return_null=0:max_allocation_size_mb=2000",
           "UBSAN_OPTIONS": "exitcode=99:print_stacktrace=1"}


def here(data, folder):
    return data.replace(b"@HERE@", os.fsencode(folder))


class Result:
    def __init__(self, kind, number, micros, kilobytes, out, err):
        self.kind, self.number, self.micros, self.kilobytes, self.out, self.err = kind, number, micros, kilobytes, out, err


class Runner:
    """One server, and the folder that its runs are in."""

    def __init__(self, build, folder, seconds=SECONDS):
        self.build, self.folder, self.seconds = build, folder, seconds
        self.case = os.path.join(folder, "case")
        self.server = None

    def start(self):
        environment = {"PATH": os.environ["PATH"], "NO_COLOR": "1", "LANG": "C.UTF-8", "CPROF_TOOL_DIR": os.path.join(self.build, "vgtool/in-place"),
                       "CPROF_LAUNCHER": os.path.join(self.build, "tests/attack/launch"), "CARGO_NET_OFFLINE": "true",
                       "DEBUGINFOD_URLS": "", "PWD": self.case, "HOME": os.path.join(self.case, "home"), "TMPDIR": os.path.join(self.case, "tmp"),
                       "XDG_STATE_HOME": os.path.join(self.case, "state"), **OPTIONS}
        self.environment = environment
        self.server = subprocess.Popen([os.path.join(self.build, "tests/attack/server")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=self.folder)

    def stop(self):
        if self.server:
            self.server.stdin.close()
            self.server.wait()

    def fill(self, case):
        """The folder of a run, with its files; what is in these, to see that it stays."""
        shutil.rmtree(self.case, ignore_errors=True)
        for name in ("home", "tmp", "state"):
            os.makedirs(os.path.join(self.case, name))
        for name, data in case.files.items():
            path = os.path.join(self.case, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(here(data, self.case))
            if name == "prog":
                os.chmod(path, 0o755)

    def variables(self, case):
        return {k: v.replace("@HERE@", self.case) for k, v in case.environment.items()}

    def ask(self, case, words):
        out, err = os.path.join(self.folder, "out"), os.path.join(self.folder, "err")
        if not self.server:
            self.start()
        texts = [self.case, os.path.join(self.case, case.stdin) if case.stdin else "/dev/null", out, err, str(self.seconds), str(MEGABYTES), case.keys,
                 *("%s=%s" % v for v in self.variables(case).items()), "", *words]
        request = b"".join(os.fsencode(t) + b"\0" for t in texts)
        for name in (out, err):
            with open(name, "wb"):
                pass
        self.server.stdin.write(struct.pack("=I", len(request)) + request)
        self.server.stdin.flush()
        answer = self.server.stdout.readline().split()
        if len(answer) < 3:
            raise RuntimeError("the server ended")
        number = int(answer[1]) if len(answer) == 4 else 0
        with open(out, "rb") as f, open(err, "rb") as g:
            return Result(answer[0].decode(), number, int(answer[-2]), int(answer[-1]), f.read(), g.read())

    def ask_program(self, case, words):
        """The same by the program itself."""
        if not self.server:
            self.start()
        stdin = open(os.path.join(self.case, case.stdin), "rb") if case.stdin else subprocess.DEVNULL
        start = time.time()
        try:
            done = subprocess.run([os.path.join(self.build, "cargo-cprof"), *words], stdin=stdin, capture_output=True, timeout=self.seconds, cwd=self.case,
                                  env={**self.environment, **self.variables(case)})
        except subprocess.TimeoutExpired:
            return Result("time", 0, 0, 0, b"", b"")
        finally:
            if case.stdin:
                stdin.close()
        kind = "exit" if done.returncode >= 0 else "signal"
        return Result(kind, abs(done.returncode), int((time.time() - start) * 1e6), 0, done.stdout, done.stderr)


# --- what a finding is

def place(err):
    """Where a sanitizer stopped the run: the first frame in a file of ours, or its own words."""
    own = re.findall(rb"/((?:cli|parser)/[\w/.-]+:\d+)", err)
    words = re.search(rb"(?:ERROR: \w+: |runtime error: )([^\n]{0,60})", err)
    return "%s %s" % (re.sub(r"0x[0-9a-f]+|\d{3,}", "N", words.group(1).decode(errors="replace")) if words else "?", own[0].decode() if own else "?")


def json_fault(case, out):
    """Why `out` is not JSON as it should be, or None."""
    try:
        text, at, decoder, documents = out.decode("utf-8"), 0, json.JSONDecoder(), []
        while text[at:].strip():
            document, at = decoder.raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
            documents.append(document)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        return "no JSON: %s" % type(error).__name__
    except RecursionError:
        return None
    if not documents:
        return "no JSON"
    first = documents[0]
    if case.totals is not None and len(documents) == 1:
        want = {k.decode(): v for k, v in case.totals.items()}
        if any(first["totals"].get(k, 0) != v for k, v in want.items()):
            return "totals %r, not %r" % (first["totals"], want)
    if case.whole and "functions" in first:
        for event, total in first["totals"].items():
            if sum(f["self"][event] for f in first["functions"]) != total:
                return "the functions' %s do not add up" % event
    return None


def fault(runner, case, result, last, known):
    """Why this run is a finding, or None."""
    if result.kind in ("time", "memory"):
        return result.kind
    if SANITIZED.search(result.err + (result.out if case.keys else b"")):
        return "sanitizer: " + place(result.err + (result.out if case.keys else b""))
    if result.kind == "signal":
        return "signal %d" % result.number
    if result.number not in (0, 1, 2, 3) and result.number not in case.statuses:
        return "status %d" % result.number
    if case.keys:
        return None if result.out else "no output"
    if result.number in (1, 2, 3) and not MESSAGE.search(result.err):
        return "status %d without a message" % result.number
    if result.number == 0:
        written = [os.path.join(runner.case, n) for n in case.outputs]
        if not result.out and not any(os.path.exists(p) and os.path.getsize(p) for p in written) and last and not SAID.search(result.err):
            return "status 0 without output"
        if case.json and last and result.out:
            return json_fault(case, result.out)
    return left_behind(runner, case, known)


def left_behind(runner, case, known):
    if os.listdir(os.path.join(runner.case, "tmp")):
        return "a temporary folder is left"
    for base, _, names in os.walk(runner.case):
        for name in names:
            path = os.path.relpath(os.path.join(base, name), runner.case)
            if re.search(r"\.[A-Za-z0-9]{6}$", name) and path not in known and path not in case.outputs:
                return "a temporary file is left"
    for name, before in known.items():
        try:
            st = os.stat(os.path.join(runner.case, name))
        except OSError:
            return "an input is gone"
        if (st.st_size, st.st_mtime_ns) != before and not name.startswith(forms.STATE) and name not in case.outputs:
            return "an input is changed"
    return None


def attack(runner, case, real=False):
    """Makes the case's runs; the finding, or None, and the last result."""
    runner.fill(case)
    known = {}
    for name in case.files:
        st = os.stat(os.path.join(runner.case, name))
        known[name] = (st.st_size, st.st_mtime_ns)
    result = None
    for i, step in enumerate(case.steps):
        words = [w.replace("@HERE@", runner.case) for group in step for w in group]
        result = runner.ask_program(case, words) if real else runner.ask(case, words)
        last = i == len(case.steps) - 1
        found = fault(runner, case, result, last, known)
        if found:
            return found, result
        if result.number:
            # A later step has nothing to do where an earlier one fails; a well-formed profile must not fail.
            if case.totals is not None and case.whole and not last:
                return "a well-formed profile fails", result
            break
    return None, result


def kind_of(found):
    return re.sub(r"\{.*|\d{4,}", "", found)


# --- making a finding smaller

def smaller(rng, case):
    """Cases that are a little smaller: without a group of words, without a file, without lines of a file."""
    import copy
    for s, step in enumerate(case.steps):
        for g in range(len(step) - 1, 0, -1):
            new = copy.deepcopy(case)
            del new.steps[s][g]
            yield new
    for name in case.files:
        new = copy.deepcopy(case)
        del new.files[name]
        if name != case.stdin:
            yield new
    for name, data in case.files.items():
        lines = data.split(b"\n")
        size = len(lines) // 2
        while size:
            for at in range(0, len(lines), size):
                kept = lines[:at] + lines[at + size:]
                profiles.counted_again(kept)
                new = copy.deepcopy(case)
                new.files[name] = b"\n".join(kept)
                yield new
            size //= 2


def minimise(runner, rng, case, found, budget=45, tries=400):
    case.totals = None if "totals" not in found else case.totals
    start, better = time.time(), True
    while better:
        better = False
        for new in smaller(rng, case):
            tries -= 1
            if tries < 0 or time.time() - start > budget:
                return case
            again, _ = attack(runner, new)
            if again and kind_of(again) == kind_of(found):
                case, better = new, True
                break
    return case


def keep(folder, case, found, result, runner):
    os.makedirs(folder, exist_ok=True)
    for name, data in case.files.items():
        path = os.path.join(folder, "files", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
    with open(os.path.join(folder, "finding"), "wb") as f:
        f.write(("%s\nform: %s\nenvironment: %r\nkeys: %r\nstdin: %r\n" % (found, case.form, case.environment, case.keys, case.stdin)).encode())
        for step in case.steps:
            f.write(b"cargo-cprof " + " ".join(repr(w) for g in step for w in g).encode(errors="backslashreplace") + b"\n")
        f.write(b"\n--- %s %d\n" % (result.kind.encode(), result.number) + result.out[:2000] + b"\n--- errors\n" + result.err[:6000])


# --- the attack

class Attack:
    def __init__(self, build, runs, seed, names, world):
        self.build, self.runs, self.seed, self.names, self.world = build, runs, seed, names, world
        self.lock, self.next, self.found, self.counts = threading.Lock(), 0, collections.Counter(), collections.Counter()
        self.statuses, self.slowest = collections.Counter(), (0, "")
        self.kept = os.path.join(build, "tests/attack/found")
        self.real = int(os.environ.get("ATTACK_REAL", "100"))
        self.started = time.time()

    def case(self, i):
        rng = random.Random("%d %d" % (self.seed, i))
        case = forms.Case(self.names[i % len(self.names)])
        forms.FORMS[case.form](forms.World(rng, *self.world), case)
        return rng, case

    def work(self, folder):
        os.makedirs(folder)
        runner = Runner(self.build, folder)
        while True:
            with self.lock:
                i, self.next = self.next, self.next + 1
            if i >= self.runs:
                break
            rng, case = self.case(i)
            found, result = attack(runner, case, self.real and i % self.real == 0 and not case.keys)
            with self.lock:
                self.counts[case.form] += 1
                self.statuses["%s %d" % (result.kind, result.number)] += 1
                self.slowest = max(self.slowest, (result.micros, case.form))
                if i and i % 5000 == 0:
                    print("%d runs, %d findings, %.0f s" % (i, sum(self.found.values()), time.time() - self.started), flush=True)
            if found:
                self.report(runner, rng, i, case, found, result)
        runner.stop()

    def report(self, runner, rng, i, case, found, result):
        key = kind_of(found) if found.startswith("sanitizer") else "%s: %s" % (case.form, kind_of(found))
        with self.lock:
            self.found[key] += 1
            if self.found[key] > 1 or len(self.found) > 60:
                return
        again, _ = attack(runner, case)
        if again:
            case = minimise(runner, rng, case, found)
            again, result = attack(runner, case)
        folder = os.path.join(self.kept, "%d-%d" % (self.seed, i))
        keep(folder, case, found + ("" if again else " (once)"), result, runner)
        with self.lock:
            print("run %d, %s: %s; kept in %s" % (i, case.form, found, folder), flush=True)


def make_program(build, folder):
    """A small program with names and lines, and where its functions begin; None where there is no compiler."""
    source = os.path.join(folder, "prog.c")
    with open(source, "w") as f:
        f.write("static inline int twice(int n) { return 2 * n; }\n__attribute__((noinline)) int f(int n) { return twice(n) + 1; }\n"
                "__attribute__((noinline)) int work(int n) { int s = 0; while (n--) s += f(n); return s; }\nint main(int n, char **v) { (void)v; return work(n * 100) & 0; }\n")
    program = os.path.join(folder, "prog")
    if subprocess.run([*os.environ.get("CC", "gcc").split(), "-g", "-O1", "-o", program, source], capture_output=True).returncode:
        return None, (0x1130, 0x1150, 0x1170)
    symbols = subprocess.run(["nm", program], capture_output=True, text=True).stdout
    with open(program, "rb") as f:
        return f.read(), tuple(int(line.split()[0], 16) for line in symbols.splitlines() if line.split()[-1] in ("f", "work", "main")) or (0x1130,)


def main():
    build = os.path.abspath(sys.argv[1])
    runs, seed = int(sys.argv[2]) if len(sys.argv) > 2 else 200000, int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = sys.argv[4:] or list(forms.FORMS)
    scratch = tempfile.mkdtemp(prefix="cprof-attack.")
    try:
        cases = sorted(glob.glob(os.path.join(TOP, "tests/data/parser/*/input")))
        # What is right comes four times as often as what is refused.
        seeds = [open(p, "rb").read() for p in cases + 3 * [p for p in cases if "/error-" not in p]]
        program, addresses = make_program(build, scratch)
        attack_of = Attack(build, runs, seed, names, (seeds, program, addresses))
        threads = [threading.Thread(target=attack_of.work, args=(os.path.join(scratch, str(k)),)) for k in range(int(os.environ.get("ATTACK_JOBS", "2")))]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for key, n in sorted(attack_of.found.items()):
        print("%6d  %s" % (n, key))
    print("statuses: " + ", ".join("%s: %d" % s for s in sorted(attack_of.statuses.items())))
    print("slowest: %.1f s, %s" % (attack_of.slowest[0] / 1e6, attack_of.slowest[1]))
    print("%d runs in %d forms, %d findings, %.0f s" % (sum(attack_of.counts.values()), len(attack_of.counts), len(attack_of.found), time.time() - attack_of.started))
    return 1 if attack_of.found or sum(attack_of.counts.values()) != runs else 0


if __name__ == "__main__":
    sys.exit(main())
