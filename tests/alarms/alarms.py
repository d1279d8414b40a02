"""alarms.py BUILD [PROGRAMS [LAYOUTS]] - gates on programs whose work stays, while all else changes: where they lie, what they are started with, the
machine's limits, and builds with other text, order or unused code. Prints tables of how much Ir and misses changed, and TAP: no gate may fail, but for
programs that do 0.03 % more.

Counts are divided into work and layout: misses by miss curves into other lines, which a fully associative cache misses as well, and the rest; Ir by
--why into the program's, its start, and what depends on where texts and functions lie. Other lines are an alarm where they are more than what moves may
cover besides.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LONG = "a-checkout-with-a-name-that-is-much-longer/than/the/other/one"
CACHES = ["--I1", "32768,8,64", "--D1", "32768,8,64", "--LL", "8388608,16,64"]
GROWN, ROUND = "0.03 % more", 6 # instructions of a round of the loop for that
START = "[before and after main]" # std reads /proc/self/maps there, and the loader the program: both see what is linked in
# The former step by 16 bytes of their second argument, wherever it begins; the last one looks for a function in a table of all that are linked in.
BY_PLACE = ["__strcspn_sse42", "__strpbrk_sse42", "__strspn_sse42", "_Unwind_Find_FDE"]
EDGES = 16 # lines: as many more or fewer may be used where code and texts move
WORK, MISSES = ["Ir", "Dr", "Dw"], ["I1mr", "D1m", "ILmr", "DLm"]
PYTHON = "import json, re; x = [{'n': i, 's': str(i) * 3} for i in range(900)]; print(len(re.sub('[0-4]+', 'x', json.dumps(x))))"
SQL = ("create table t(a integer primary key, b text); with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) insert into t "
       "select i, 'text ' || i * 7 % 1000 from n; select count(*), max(length(b)) from t group by b % 3; select count(distinct b) from t;")
PERL = "my %n; for (1 .. 9000) { $n{'k' . $_ * 7 % 1000} .= chr 65 + $_ % 26 } print length(join '', map { s/A+/b/gr } sort values %n), qq(\\n)"


def built(suffix, kinds):
    return [(kind, suffix) for kind in kinds.split()]


C = built("c", "MEMORY STRINGS SORT HASH FLOATS ALLOCATE TREE ARENAS")
CC = built("cc", "MAPS VECTORS EXCEPTIONS STREAMS")
RUST = built("rs", "maps strings trees floats")
INSTALLED = [("python3", ["-I", "-c", PYTHON]), ("sqlite3", [":memory:", SQL]), ("xz", ["-T1", "-kf", "input"]), ("perl", ["-e", PERL])]
# A few of them have one of each kind.
PROGRAMS = [p for four in zip(C[:4], CC, RUST, INSTALLED) for p in four] + C[4:]


def compiler(kind):
    return {"c": os.environ.get("CC", "cc"), "cc": "c++", "rs": os.environ.get("RUSTC", "rustc")}[kind]


def can_be_had(program):
    name, kind = program
    return bool(shutil.which(name if isinstance(kind, list) else compiler(kind)))


class Checkout:
    """A folder with a program's sources, and where it is built and run."""

    def __init__(self, path, program):
        self.path, (self.name, self.kind) = path, program
        self.installed = isinstance(self.kind, list)
        self.title = self.name if self.installed else "%s.%s" % (self.name.lower(), self.kind)
        self.program = shutil.which(self.name, path="/usr/bin:/bin") if self.installed else os.path.join(path, "prog")
        os.makedirs(path)
        for name in os.listdir(HERE):
            if name.startswith(("kinds.", "cold.", "spare.")):
                shutil.copy(os.path.join(HERE, name), path)
        with open(os.path.join(path, "input"), "w", encoding="ascii") as out:
            out.writelines("line %d of a text, %d\n" % (i, i * i % 997) for i in range(3000))
        shutil.copy(out.name, out.name + ".xz") # which each run of xz replaces

    def call(self, *command, **variables):
        subprocess.run(command, cwd=self.path, env={**os.environ, **variables}, check=True)

    def build(self, commit="0123abc", cold="it failed", reverse=False, spare=False, more=0):
        """Builds the program, as `prog`; `commit` and `cold` are texts in it."""
        if self.kind == "rs":
            options = ["--cfg", "spare"] if spare else []
            options += ["-C", "link-arg=-Wl,--sort-section=name"] if reverse else []
            self.call(compiler("rs"), "--edition", "2021", "-O", "-g", "--cfg", 'kind="%s"' % self.name, "-o", "prog", *options,
                      os.path.join(self.path, "kinds.rs"), COLD=cold, COMMIT=commit)
            return
        objects = []
        for source, name in ("kinds." + self.kind, "kinds"), ("cold.c", "cold"), ("spare.c", "spare"), *([("spare.c", "more")] if spare else []):
            self.call(compiler(source.split(".")[1]), "-O2", "-g", "-pthread", "-c", "-DKIND=" + self.name,
                      '-DCOMMIT="%s"' % commit, '-DCOLD="%s"' % cold, "-DSPARE=" + name, "-DMORE=%d" % more, "-o", name + ".o", os.path.join(self.path, source))
            objects.insert(0 if name == "more" else len(objects), name + ".o")
        self.call(compiler(self.kind), "-pthread", "-o", "prog", *(objects[::-1] if reverse else objects), "-lm")


class Run:
    """How a program is run: a layout changes something of it."""

    def __init__(self, cprof, checkout, state):
        self.cprof, self.checkout, self.folder, self.program = cprof, checkout, checkout.path, checkout.program
        self.prefix, self.options = [], []
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": state, "TMPDIR": state, "XDG_STATE_HOME": state,
                            **{k: v for k, v in os.environ.items() if k in ("CPROF_TOOL_DIR", "ASAN_OPTIONS")}}

    def go(self, *options):
        """Runs it; what it writes as JSON."""
        arguments = ["--", *self.checkout.kind] if self.checkout.installed else []
        threads = ["--schedule", "fixed", "--clock", "fixed"] if self.checkout.name == "ARENAS" else []
        ran = subprocess.run([*self.prefix, self.cprof, "callgrind", "-q", "--deterministic", "--cache-sim", "--miss-curves", *CACHES, *threads, "--json",
                              "--bin", self.program, *self.options, *options, *arguments],
                             cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if ran.returncode not in (0, 3):
            raise RuntimeError("%s: %s" % (self.checkout.name, ran.stderr))
        return json.loads(ran.stdout)


def moved(run, place):
    """The program is a copy below another folder."""
    run.program = os.path.join(place, "prog")
    os.makedirs(place, exist_ok=True)
    shutil.copy(run.checkout.program, run.program)


def linked(run):
    run.program = os.path.join(run.checkout.path, "a-link-to-the-folder-of-the-program", "prog")
    os.symlink(".", os.path.dirname(run.program))


def folders(run):
    place = os.path.join(run.environment["HOME"], LONG)
    os.makedirs(place, exist_ok=True)
    run.environment.update(PATH="/usr/bin:/bin:" + place, HOME=place, TMPDIR=place)


def tool_elsewhere(run):
    place = os.path.join(run.checkout.path, "where-the-tool-is-installed-on-another-machine")
    os.symlink(os.environ.get("CPROF_TOOL_DIR") or os.path.join(os.path.dirname(run.cprof), "vgtool/in-place"), place)
    run.environment["CPROF_TOOL_DIR"] = place


def other_checkout(run):
    """All of it is in a folder of another name, built and run there."""
    checkout = run.checkout
    run.checkout = Checkout(os.path.join(checkout.path, LONG), (checkout.name, checkout.kind))
    run.checkout.build()
    run.folder, run.program = run.checkout.path, run.checkout.program


def stripped(run):
    run.checkout.build()
    run.checkout.call("strip", "prog")


def prefixed(*command):
    return lambda run: run.prefix.extend(command)


def variables(**names):
    return lambda run: run.environment.update(names)


def rebuilt(**change):
    return lambda run: run.checkout.build(**change)


# Name, change, and what it is of: the run, the program's place, or its build; the last two need sources.
LAYOUTS = [
    ("once more", lambda run: None, "run"),
    ("README changed, another commit", rebuilt(commit="9f8e7d6"), "build"),
    ("other order of linking", rebuilt(reverse=True), "build"),
    ("unused code linked in", rebuilt(spare=True), "build"),
    ("one cold text changed", rebuilt(cold="it failed, and this is how: see the manual"), "build"),
    ("another checkout", other_checkout, "place"),
    ("stripped", stripped, "build"),
    ("path of the program", lambda run: moved(run, os.path.join(run.checkout.path, LONG, "place")), "place"),
    ("relative argv[0]", lambda run: setattr(run, "program", "./prog"), "place"),
    ("by a link", linked, "place"),
    ("60 more variables", variables(RUNNER="x" * 4000, **{"VARIABLE_%d" % i: "y" * i for i in range(59)}), "run"),
    ("other PATH, HOME, TMPDIR", folders, "run"),
    ("tunables: no AVX2, no ERMS, one arena", variables(GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-ERMS:glibc.malloc.arena_max=1"), "run"),
    ("--cpu-level v3 named", lambda run: run.options.extend(["--cpu-level", "v3"]), "run"),
    ("stack limit 1 MB", prefixed("prlimit", "--stack=1048576"), "run"),
    ("stack limit 64 MB", prefixed("prlimit", "--stack=67108864"), "run"),
    ("stack without a limit", prefixed("prlimit", "--stack=unlimited"), "run"),
    ("256 files", prefixed("prlimit", "--nofile=256"), "run"),
    ("one processor", prefixed("taskset", "-c", "0"), "run"),
    ("name of the host", prefixed("unshare", "-u", "sh", "-c", 'hostname another-host-with-a-long-name; exec "$@"', "-"), "run"),
    ("addresses not random", prefixed("setarch", "-R"), "run"),
    ("tool elsewhere", tool_elsewhere, "run"),
]


def gates():
    """Both ways, and of misses each change, so that it is divided."""
    limits = [(e, "%+.2f%%" % p) for e in WORK for p in (0.01, -0.01)] + [(e, s + "0") for e in MISSES for s in "+-"]
    return [word for event, limit in limits for word in ("--fail-if", "%s%s%s" % (event.lower(), "><"["-" in limit], limit))]


def total(counts, event):
    return sum(counts[e] for e in ((event + "r", event + "w") if event in ("D1m", "DLm") else (event,)))


def beside_work(why):
    """The part of a change that the program's start has, or functions of libraries by the place of a text or a function."""
    return sum(r["change"] for f in why["functions"] for r in f["reasons"]
               if f["label"] == START or (r["cause"] == "work_same_code" and r["function"] in BY_PLACE))


def judge(compared):
    """Of each event its old count, its change, what of that is work, and why. Of misses work is other lines; None: it is not known."""
    why = {w["event"]: w for w in compared.get("why", [])}
    found = {}
    for event in WORK + MISSES:
        old, new = (total(compared["totals"][side], event) for side in ("old", "new"))
        work, reason = new - old, why.get(event)
        if event in WORK and reason:
            work -= beside_work(reason)
        elif event in MISSES and work:
            parts = reason.get("misses") if reason else None
            work = parts["first_uses"] + parts.get("capacity", 0) if parts else None
        found[event] = {"old": old, "change": new - old, "work": work, "why": reason["sentence"] if reason else ""}
    return found


def exceeds(found, event, part="change"):
    """A change of 0.01 %, or one that is not known."""
    return found[event][part] is None or abs(found[event][part]) * 10000 > found[event]["old"]


def is_alarm(found, event):
    return exceeds(found, event, "work") and (event in WORK or found[event]["work"] is None or abs(found[event]["work"]) > EDGES)


def measure(build, folder, program, layouts, say):
    """All layouts of a program, those that leave its file alone first; a list of what was found of each."""
    state, results = os.path.join(folder, "state"), []
    os.makedirs(state)
    checkout = Checkout(os.path.join(folder, "checkout"), program)
    start = lambda: Run(os.path.join(build, "cargo-cprof"), checkout, state)
    if not checkout.installed:
        checkout.build()
    rounds = start().go("--save-baseline", "base")["totals"]["Ir"] // 3000 // ROUND
    grown = [(GROWN, rebuilt(more=rounds), "build")] if checkout.kind == "c" else []
    for name, change, what in sorted(layouts, key=lambda layout: layout[2] == "build") + grown:
        run = start()
        if what != "run" and checkout.installed:
            continue
        change(run)
        if run.prefix and subprocess.run([*run.prefix, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
            say("%s, %s: it fails here" % (checkout.title, name))
            continue
        compared = run.go("--baseline", "base", *gates())
        found = judge(compared)
        if {o["count"] for o in compared.get("failed", [])}.intersection(WORK) != {e for e in WORK if exceeds(found, e)}:
            raise RuntimeError("%s, %s: gates and totals differ" % (checkout.title, name))
        results.append({"program": checkout.title, "layout": name, "events": found, "undecided": len(compared.get("undecided", [])),
                        "alarms": [e for e in found if is_alarm(found, e)]})
        changes = ["%s %+d%s" % (e, v["change"], "" if v["work"] == v["change"] else " (work %s)" % v["work"]) for e, v in found.items() if v["change"]]
        say("%s, %s: %s%s" % (checkout.title, name, ", ".join(changes) or "no change", " ALARM" if results[-1]["alarms"] else ""))
    return results


def greatest(results, event):
    """The greatest change of an event, in percent."""
    old, change = max(((r["events"][event]["old"], r["events"][event]["change"]) for r in results), key=lambda c: abs(c[1]) / max(c[0], 1))
    return "%+.4f %%" % (100 * change / old) if change else "0"


def table(results, key):
    """Rows of Markdown, one for each program or layout: the greatest changes; how many comparisons fail gates of 0.01 % by what is not the program's
    work, or by layout; how many by its work."""
    heads = [key.capitalize(), "Comparisons", "Ir", "Dr", "Dw", "D1m", "I1mr", "Lines", "Ir beside work", "Misses by layout", "Alarms"]
    rows = [heads, ["---"] * len(heads)]
    for name in dict.fromkeys(r[key] for r in results):
        own = [r for r in results if r[key] == name]
        lines = max((r["events"][e]["work"] or 0 for r in own for e in MISSES), key=abs)
        held = [sum(any(exceeds(r["events"], e) and not is_alarm(r["events"], e) for e in events) for r in own) for events in (WORK, MISSES)]
        rows.append([name, len(own), *(greatest(own, e) for e in ("Ir", "Dr", "Dw", "D1m", "I1mr")), "%+d" % lines if lines else "0", *held,
                     sum(bool(r["alarms"]) for r in own)])
    return ["| %s |" % " | ".join(map(str, row)) for row in rows]


def main(build, n_programs=len(PROGRAMS), n_layouts=len(LAYOUTS)):
    programs = [p for p in PROGRAMS[:n_programs] if can_be_had(p)]
    with tempfile.TemporaryDirectory() as path, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        say = lambda text: print("# " + text, file=sys.stderr, flush=True)
        jobs = [pool.submit(measure, os.path.abspath(build), os.path.join(path, str(i)), p, LAYOUTS[:n_layouts], say) for i, p in enumerate(programs)]
        results = [r for job in jobs for r in job.result()]
    results, grown = ([r for r in results if (r["layout"] == GROWN) == is_grown] for is_grown in (False, True))
    for key in "layout", "program":
        print(*("# " + line for line in table(results, key)), sep="\n")
    wrong = [r for r in results if r["alarms"]]
    for r in wrong:
        print("# %s, %s: %s" % (r["program"], r["layout"], {e: r["events"][e] for e in r["alarms"]}))
    print("# %d gates could not be told" % sum(r["undecided"] for r in results))
    print("%s 1 - %d comparisons of %d programs: %d alarms" % ("not ok" if wrong else "ok", len(results), len(programs), len(wrong)))
    missed = [r["program"] for r in grown if "Ir" not in r["alarms"] or r["events"]["Ir"]["change"] < 0]
    print("%s 2 - %d programs that count 0.03 %% more: %d pass" % ("not ok" if missed else "ok", len(grown), len(missed)))
    print("1..2")
    return bool(wrong or missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
