"""forms.py - the command lines that mutate.py attacks with: each form makes one run, or a few that follow each other, with its files."""
import json

import profiles

STATE = "state/cprof/"
LAST = "target/cprof/"  # of the package that the run's folder is made


class Case:
    """`steps` are lists of groups of words, so that a group can be dropped whole; `files` are put into the folder of the run.
    `outputs` are what the last step writes to; `totals` what its JSON must say, where that is known; `keys` are typed into a terminal;
    `statuses` are right besides 0 to 3; `json` tells what the last step prints."""

    def __init__(self, form):
        self.form, self.steps, self.files, self.environment = form, [], {}, {}
        self.outputs, self.totals, self.keys, self.statuses, self.stdin, self.json, self.whole = [], None, "", [], None, False, False


class World:
    """What a run is made of: a source of numbers, seeds, the program that raw profiles are of."""

    def __init__(self, rng, seeds, program, addresses):
        self.rng, self.seeds, self.program, self.addresses = rng, seeds, program, addresses

    def clean(self):
        """A well-formed profile, and its totals."""
        kind = self.rng.choice(list(profiles.MAKERS))
        if kind == "raw":
            return profiles.make_raw(self.rng, self.addresses)
        return profiles.MAKERS[kind](self.rng)

    def profile(self, raw=False, paths=False):
        """A profile, every second mutated; totals where it is not. `paths`: of a kind that has call paths."""
        rng = self.rng
        kind = rng.random()
        if raw:
            data, totals = profiles.make_raw(rng, self.addresses)
        elif paths and kind < 0.8:
            data, totals = profiles.make_named(rng) if rng.random() < 0.7 else profiles.make_raw(rng, self.addresses)
        elif kind < 0.4:
            data, totals = rng.choice(self.seeds), None
        else:
            data, totals = self.clean()
        if rng.random() < 0.5:
            other = rng.choice(self.seeds) if rng.random() < 0.5 else self.clean()[0]
            data, totals = profiles.mutate(rng, data, other), None
        if rng.random() < 0.05:
            packed = profiles.pack(rng, data)
            return packed, None
        return data, totals


def put(world, case, path, raw=False, paths=False):
    data, totals = world.profile(raw, paths)
    case.files[path] = data
    return totals


def put_program(world, case):
    """The ELF file that raw profiles name: as it is, damaged, or not there; and its source."""
    rng = world.rng
    if world.program and rng.random() < 0.6:
        case.files["prog"] = world.program if rng.random() < 0.6 else profiles.mutate_bytes(rng, world.program)
        if rng.random() < 0.7:
            source = b"int f(int n)\n{\n    return n;\n}\n" * rng.choice([1, 5, 30])
            case.files["prog.c"] = source if rng.random() < 0.7 else profiles.mutate_bytes(rng, source)


# --- options

COLUMNS = ["Ir", "%", "Function", "Location", "Calls", "Incl", "Dr", "Dr.incl", "Ir.incl", "D1mr", "Object", "File", "Line", "Crate", "Inclusive", "x", "", "Time_(10ns)", "IR", "Bcm"]
REGEXES = ["f", "^f[0-9]+$", ".*", "", "(", "[", "a|b", "(a*)*b", "\\", "f{2,1}", "x{1,1000}", "caf\u00e9", "\x1b", "::", "$^", "*", "(((((a)))))"]
GATES = ["ir>+2%", "ir>5G", "*: ir>+1%", "incl(f*): ir>+1%", "sum(*): ir>+1%", "ir>+2%; *: ir>+5%", "ir<-0", "dr>=+10", "", ";", ":", "ir", "ir>", "ir>+%", "ir>+1_000",
         "bench(f*): ir>+1%", "test(*): ir>+1%", "bench(: ir>1", "f?: ir<=1.5M", "sum(: ir>1", "*:ir>+99999999999999999999", "x>1", "ir>+0.000000001%", "[;]: ir>1", "ir>-100%", "incl(*): dr>1k", "slope(*)>1.1", "slope(incl(a))<=2;slope>1", "slope(", "slope()>x",
         "section(*): ir>+1%", "section(): ir>1", "ir>+1% and *: ir>+1 or ir<-0", "ir>+1% and", "and or", "ir>+1%and ir>1", "time", "ir>+1% and time", "time or time>1"]
SORTS = ["Ir", "Ir", "ir", "Incl", "Calls", "Dr", "Function", "Ir.incl", "%", "x", ""]
VALUES = {"--sort": SORTS, "--columns": None, "--filter": REGEXES, "--file": REGEXES, "--crate": ["x", "serde", "serde@1.0.2", "libc", "std", "@", ""],
          "-n": ["0", "1", "3", "1000000", "-1", "x", "", "99999999999999999999"], "--by": ["function", "line", "file", "crate", "object", "x", ""],
          "--view": ["both", "own", "functions", "sections", "args", "heap", "data", "line-use", "curves", "x", ""],
          "--layout": ["Entry", "a::T<u8>", "struct x", "::", "<", ""],
          "--names": ["short", "full", "raw", "f", ""], "--color": ["always", "never", "auto", "x"], "--format": ["table", "md", "csv", "x"],
          "--threshold": ["0", "1", "0.01", "100", "101", "-1", "nan", "1e400", "", "x"], "--fail-if": GATES, "--sizes": ["1,2,3", "1k,1.5k,2k,3k,4k", "5,6", "3,2,1", "", ",", "1,2,x", "-1,2,3", "1,1,1", "1e3,2,3", "99999999999999999999,1,2"],
          "--bad": ["HEAD", "HEAD~1", "x", "", "-1"], "--build": ["true", "false", "exit 3", ""],
          "--check": ["4", "1G", "x", "", "0"], "--width": ["1", "100", "1200", "100000", "0", "-5", "x"],
          "--context": ["0", "3", "1000000", "x"], "--source-map": ["/a=/b", "=", "a", "@HERE@=@HERE@/x", "/=@HERE@"], "--repeat": ["1", "2", "0", "x"], "--orders": ["1", "5", "2", "x"],
          "--max-contexts": ["1000", "1", "x"], "--env": ["A=1", "A", "=", ""], "--I1": ["32768,8,64", "1,1,1", "0,0,0", "x", "32768,8"], "--vg-opt": ["--x", ""],
          "--toggle-collect": ["f*", "", "*"], "--count-arg": ["f*=1", "f=6:log2", "*=2", "f", "f=7", "=1", ""],
          "--alloc-function": ["f*", "f:size=2", "a::f:size=1:ptr=2", "f:free=6", "f:free:size", ":size", "f:size=0", "f:", ""],
          "--section": ["f", ".*", "p+", "x", "(", ""], "--section-caches": ["warm", "cold", "x", ""],
          "--schedule": ["auto", "fixed", "free", "x", ""], "--clock": ["auto", "fixed", "real", "x", ""], "--machine": ["auto", "fixed", "host", "x", ""], "--cpu-level": ["auto", "v9", ""], "--rep": ["each", "one", "x", ""]}
# How many values, from the first on, are right; 4 if not said.
GOOD = {"--sort": 3, "--names": 3, "--color": 3, "--format": 2, "--by": 5, "--view": 3, "--width": 3, "--context": 3, "--repeat": 2, "--orders": 1, "--max-contexts": 1, "--vg-opt": 1, "--toggle-collect": 1, "--count-arg": 3, "--alloc-function": 4, "--section-caches": 2, "--schedule": 3, "--clock": 3, "--machine": 3, "--cpu-level": 1, "--rep": 2, "--I1": 1,
        "--source-map": 1, "--env": 2}
FLAGS_SHOW = ["--inclusive", "--percent", "--counts", "--blame", "--strict", "--fold-generics", "--no-inlines"]
OPTIONS_SHOW = ["-n", "--sort", "--columns", "--filter", "--file", "--by", "--view", "--crate", "--names", "--color", "--format"]
FORMATS = ["json", "csv", "md", "callgrind", "cachegrind", "folded", "speedscope", "pprof", "dot", "pprof-text", "firefox", "chrome-trace"]


def value(rng, option):
    if option == "--columns":
        return ",".join(rng.choice(COLUMNS[:6] if rng.random() < 0.7 else COLUMNS) for _ in range(rng.randrange(1, 6)))
    if rng.random() < 0.04:
        return profiles.name(rng).replace(b"\0", b"").decode("utf-8", "surrogateescape")
    good = VALUES[option]
    return rng.choice(good[:GOOD.get(option, 4)]) if rng.random() < 0.8 else rng.choice(good)


def options(rng, valued, flags, most=3):
    groups = []
    for _ in range(rng.randrange(most + 1)):
        if flags and rng.random() < 0.4:
            groups.append([rng.choice(flags)])
        else:
            option = rng.choice(valued)
            groups.append([option, value(rng, option)])
    return groups


def function(rng, data=b""):
    names = profiles.names_in(data)
    if names and rng.random() < 0.8:
        return rng.choice(names).decode("utf-8", "surrogateescape")
    return rng.choice(["f1", "f", "main", "h3", "a::b1", "twice", "work", "caf\u00e9", "*", "", "f2 (a.c:1)", "[program]", "???"] + ["f%d" % i for i in range(5)])


# --- the forms; each takes the world and a case

def report(*fixed, paths=False, valued=OPTIONS_SHOW, flags=FLAGS_SHOW, out=None, is_json=False, files=1, most=3):
    def form(world, case):
        names = ["p%d.cprof" % i for i in range(files)]
        totals = [put(world, case, n, paths=paths) for n in names]
        put_program(world, case)
        extra = options(world.rng, valued, flags, most)
        case.steps = [[["report"], *([w] for w in fixed), *extra, *([["-o", out]] if out else []), *([n] for n in names)]]
        case.outputs = [out] if out else []
        case.json = is_json and not any(g[0] in ("--format", "--html") for g in extra)
        case.whole = case.json and not extra and fixed in (("--json",), ("--json=tree",))
        if all(t is not None for t in totals) and case.json and files == 1:
            case.totals = totals[0]
    return form


def report_stdin(world, case):
    put(world, case, "in")
    case.stdin = "in"
    case.steps = [[["report"], *options(world.rng, OPTIONS_SHOW, FLAGS_SHOW), ["-"]]]


def report_last(world, case):
    case.files["Cargo.toml"] = b""
    put(world, case, LAST + "last.cprof", raw=True)
    if world.rng.random() < 0.6:
        case.files[LAST + "last.packages.json"] = mutated_text(world.rng, profiles.make_packages(world.rng))
    put_program(world, case)
    case.steps = [[["report"], *options(world.rng, OPTIONS_SHOW + ["--by", "--crate"], FLAGS_SHOW)]]


def report_summary(world, case):
    put(world, case, "p.cprof")
    case.environment["GITHUB_STEP_SUMMARY"] = "summary.md"
    case.steps = [[["report"], ["--summary"], *options(world.rng, OPTIONS_SHOW, FLAGS_SHOW), ["p.cprof"]]]
    case.outputs = ["summary.md"]


def mutated_text(rng, data):
    return profiles.mutate(rng, data) if rng.random() < 0.5 else data


def calls(command, *fixed):
    def form(world, case):
        put(world, case, "p.cprof", paths=True)
        put_program(world, case)
        case.steps = [[[command], *([w] for w in fixed), *options(world.rng, ["-n", "--sort", "--names", "--color"], ["--fold-generics", "--no-inlines", "--strict"]),
                       ["--"], [function(world.rng, case.files["p.cprof"])], ["p.cprof"]]]
        case.json = "--json" in fixed
    return form


def tree(*fixed):
    def form(world, case):
        put(world, case, "p.cprof", paths=True)
        put_program(world, case)
        case.steps = [[["tree"], *([w] for w in fixed), *options(world.rng, ["--threshold", "--sort", "--names", "--color"], ["--fold-generics", "--no-inlines", "--no-pager"]),
                       ["--profile-file", "p.cprof"], *([[function(world.rng, case.files["p.cprof"])]] if world.rng.random() < 0.5 else [])]]
        case.json = "--json" in fixed
    return form


def annotate(*fixed):
    def form(world, case):
        put(world, case, "p.cprof", paths=True, raw=world.rng.random() < 0.5)
        put_program(world, case)
        case.steps = [[["annotate"], *([w] for w in fixed), *options(world.rng, ["-n", "--threshold", "--context", "--sort", "--columns", "--source-map", "--names"], ["--inlined", "--strict", "--no-pager"]),
                       ["--profile-file", "p.cprof"], [function(world.rng, case.files["p.cprof"])]]]
        case.json = "--json" in fixed
    return form


def flamegraph(*fixed, diff=False):
    def form(world, case):
        put(world, case, "p.cprof", paths=True, raw=world.rng.random() < 0.4)
        put_program(world, case)
        if diff:
            put(world, case, "q.cprof", paths=True, raw=world.rng.random() < 0.4)
        case.steps = [[["flamegraph"], *([w] for w in fixed), *([["--diff", "q.cprof"]] if diff else []), ["-o", "out.svg"],
                       *options(world.rng, ["--sort", "--threshold", "--width", "--names"], ["--fold-generics", "--no-inlines"]), ["p.cprof"]]]
        case.outputs = ["out.svg"]
    return form


def export(format, *fixed):
    def form(world, case):
        put(world, case, "p.cprof", paths=True, raw=world.rng.random() < 0.4)
        put_program(world, case)
        out = world.rng.random() < 0.5
        case.steps = [[["export"], ["--format", format], *([w] for w in fixed), *options(world.rng, ["--sort", "--threshold", "--names"], ["--fold-generics", "--no-inlines"]),
                       *([["-o", "out"]] if out else []), ["p.cprof"]]]
        case.outputs = ["out"] if out else []
    return form


def export_back(format):
    """What is exported is read again, and has the same totals."""
    def form(world, case):
        case.files["p.cprof"], case.totals = world.clean()
        put_program(world, case)
        case.steps = [[["export"], ["--format", format], ["-o", "out"], ["p.cprof"]], [["report"], ["--json"], ["out"]]]
        case.json = case.whole = True
    return form


def diff(*fixed, valued=("-n", "--sort", "--filter", "--file", "--color", "--format", "--view", "--columns", "--names"), out=None):
    def form(world, case):
        put(world, case, "p.cprof")
        case.files["q.cprof"] = case.files["p.cprof"]
        if world.rng.random() < 0.7:
            put(world, case, "q.cprof")
        case.steps = [[["diff"], *([w] for w in fixed), *options(world.rng, list(valued), ["--inclusive", "--lines", "--percent", "--counts"]), *([["-o", out]] if out else []),
                       *([["--fail-if", value(world.rng, "--fail-if")]] if world.rng.random() < 0.3 else []), ["p.cprof"], ["q.cprof"]]]
        case.outputs = [out] if out else []
        case.json = "--json" in fixed and not any(g[0] == "--format" for g in case.steps[0])
    return form


def diff_baseline(world, case):
    put(world, case, STATE + "baselines/main.cprof")
    case.files["Cargo.toml"] = b""
    put(world, case, LAST + "last.cprof")
    if world.rng.random() < 0.8:
        case.files[STATE + "baselines/main.noise"] = mutated_text(world.rng, profiles.make_noise(world.rng))
    case.steps = [[["diff"], *options(world.rng, ["-n", "--sort", "--filter", "--view"], ["--inclusive", "--lines"]), ["--fail-if", value(world.rng, "--fail-if")], ["main"], ["last"]]]


def merge(world, case):
    """The sum is read again, and has the sum of the totals."""
    a, b = put(world, case, "p.cprof"), put(world, case, "q.cprof")
    put_program(world, case)
    case.steps = [[["merge"], ["p.cprof"], ["q.cprof"], ["-o", "out"]], [["report"], ["--json"], ["out"]]]
    case.json = True
    if a is not None and b is not None:
        case.totals = {k: a.get(k, 0) + b.get(k, 0) for k in {**a, **b}}


def baselines(world, case):
    for _ in range(world.rng.randrange(1, 4)):
        word = profiles.name(world.rng).replace(b"/", b"").replace(b"\0", b"")[:200].decode("utf-8", "surrogateescape")
        put(world, case, STATE + "baselines/x%s.cprof" % word)
    case.steps = [[["baselines"]]]


KEYS = ["\x1b[A", "\x1b[B", "\x1b[5~", "\x1b[6~", "\t", "\r", "\r", "l", "c", "t", "T", "s", "a", "d", "o", "?", "r", "I", "e", "E", "%", "i", "+", "-", "h", "m", "n",
        "g", "G", "j", "k", "b", "f", "v", "u", "O", "F", " ", "y", "/f\r", "/[\r", "/\x1b", "/\u00e9x\x7f\r", "wout.txt\r", "<", ">", "\x0c", "\x1b", "\x1b[C", "\x1b[D"]


def browse(files):
    def form(world, case):
        for i in range(files):
            put(world, case, "p%d.cprof" % i, raw=world.rng.random() < 0.3, paths=True)
        put_program(world, case)
        case.keys = "".join(world.rng.choice(KEYS) for _ in range(world.rng.randrange(1, 12))) + "\x1b\x1bqqq"
        case.environment["TERM"] = world.rng.choice(["xterm-256color", "xterm-256color", "linux", "vt100", "dumb"])
        case.environment["ESCDELAY"] = "1"
        case.steps = [[["browse"], *options(world.rng, ["--names", "--source-map", "--sort"], ["--no-inlines", "--full-paths", "--threads"], 1), *(["p%d.cprof" % i] for i in range(files))]]
        case.statuses = [0]
    return form


def run(command, *fixed, valued=("-n", "--sort", "--columns", "--filter", "--by", "--names"), flags=("--inclusive", "--blame", "--strict", "--json", "-q"), outputs=(), baseline=False):
    """A run, by tests/attack/launch in place of the tool: the profile is what we say."""
    def form(world, case):
        rng = world.rng
        put(world, case, "raw", raw=rng.random() < 0.9)
        case.files["prog"] = world.program or b""
        case.environment["ATTACK_RAW"] = "@HERE@/raw"
        if rng.random() < 0.2:
            case.environment["ATTACK_STATUS"] = "7"
            case.statuses = [7]
        if baseline:
            put(world, case, STATE + "baselines/main.cprof", raw=True)
            if rng.random() < 0.5:
                case.files[STATE + "baselines/main.noise"] = mutated_text(rng, profiles.make_noise(rng))
        case.steps = [[[command], ["--bin", "./prog"], *([w] if isinstance(w, str) else list(w) for w in fixed), *options(rng, list(valued), list(flags), 2)]]
        case.outputs = list(outputs)
    return form


def bench_baselines(world, case):
    """Baselines of benches, whole and damaged."""
    rows = [{"package": "p", "target": "t", "name": world.rng.choice(["f", "", "\x1b[31m"]), "harness": "libtest", "iterations": world.rng.choice([1, 2, 0, -1, 2**62]),
             "counts": {"Ir": world.rng.choice([0, 7, 2**63 - 1, -1, 1.5, "x"])}, "whole": False} for _ in range(world.rng.randrange(4))]
    text = json.dumps({"schema": "cprof-bench/1", "kind": "bench", "events": world.rng.choice([["Ir"], [], ["Ir", "Dr"], [1]]), "totals": {"Ir": 7}, "measured": {"Ir": 7},
                       "harness": {"Ir": 0}, "threads": {}, "rows": rows, "failed": []}).encode()
    case.files[STATE + "baselines/main" + world.rng.choice([".benches.json", ".tests.json"])] = text if world.rng.random() < 0.5 else profiles.mutate_bytes(world.rng, text)
    case.steps = [[["baselines"]]]


WORDS = ["report", "diff", "callgrind", "-n", "--json", "--", "-", "--html", "-o", "x", "--output=out", "--fil", "--c", "--no-inlines=1", "-n5x", "-nn", "--=", "p.cprof", "",
         "--json=tree", "--json=x", "help", "-h", "--version", "-V", "cprof", "tree", "--sort=Ir", "baselines", "browse", "-q", "--summary", "\u00e9", "export", "--format=pprof"]


def words(world, case):
    """Any words after any others."""
    put(world, case, "p.cprof")
    case.steps = [[[world.rng.choice(WORDS)] for _ in range(world.rng.randrange(0, 6))]]
    case.outputs = ["out", "x"]


def help_of(world, case):
    command = world.rng.choice(["report", "diff", "callgrind", "sample", "cachegrind", "tree", "callers", "callees", "annotate", "browse", "flamegraph", "export", "merge", "bench", "test", "scale", "bisect", "baselines", "clean", "help", "x"])
    case.environment["COLUMNS"] = world.rng.choice(["1", "20", "80", "0", "-1", "x", "100000"])
    case.steps = [world.rng.choice([[["help"], [command]], [[command], ["-h"]], [["help"]]])]


FORMS = {
    "report": report(), "report by": report(("--by=crate")), "report blame": report("--blame", valued=["-n", "--sort", "--names"], flags=["--strict"], paths=True), "report inclusive": report("--inclusive", "--percent"),
    "report filters": report(valued=["--filter", "--file", "--crate", "--by"], most=4), "report columns": report(valued=["--columns", "--sort"], most=2),
    "report json": report("--json", valued=["-n", "--names"], is_json=True, most=1), "report json tree": report("--json=tree", paths=True, is_json=True, flags=["--fold-generics", "--no-inlines"], valued=["--names"], most=1),
    "report json by": report("--json", "--by=line", is_json=True, most=0), "report json blame": report("--json", "--blame", paths=True, is_json=True, most=0),
    "report md": report("--format=md"), "report html": report("--html", out="out.html"), "report html full": report("--html", "--full-paths", out="out.html"), "report html threads": report("--html", "--threads", out="out.html"), "report apart": report("--apart", files=2), "report sum": report(files=3),
    "report stdin": report_stdin, "report last": report_last, "report summary": report_summary, "report strict": report("--strict"), "report own": report("--view=own", paths=True),
    "report sections": report("--view=sections", paths=True), "report section": report(paths=True, valued=["--section"], most=1), "report section json": report("--json", paths=True, valued=["--section"], is_json=True, most=1),
    "callers": calls("callers"), "callees": calls("callees"), "callers json": calls("callers", "--json"), "tree": tree(), "tree full": tree("--full-paths"), "tree json": tree("--json"),
    "annotate": annotate(), "annotate self": annotate("--self"), "annotate asm": annotate("--asm"), "annotate json": annotate("--json"), "flamegraph": flamegraph(), "flamegraph full": flamegraph("--full-paths"), "flamegraph threads": flamegraph("--threads"), "flamegraph inverted": flamegraph("--inverted"),
    "flamegraph diff": flamegraph(diff=True), **{"export " + f: export(f) for f in FORMATS}, "export folded startup": export("folded", "--fold-startup"), "export pprof startup": export("pprof", "--fold-startup"), "export back callgrind": export_back("callgrind"), "export back cachegrind": export_back("cachegrind"),
    "diff": diff(), "diff lines": diff("--lines"), "diff why": diff("--why"), "diff json": diff("--json"), "diff html": diff("--html", out="out.html"), "diff baseline": diff_baseline, "merge": merge,
    "baselines": baselines, "baselines bench": bench_baselines, "browse": browse(1), "browse two": browse(2), "callgrind": run("callgrind"), "cachegrind": run("cachegrind", "--contexts"),
    "callgrind pages": run("callgrind", ["--html", "out.html"], ["--flamegraph", "out.svg"], outputs=["out.html", "out.svg"]),
    "callgrind pages full": run("callgrind", ["--html", "out.html"], ["--flamegraph", "out.svg"], ["--full-paths"], outputs=["out.html", "out.svg"]),
    "callgrind baseline": run("callgrind", ["--baseline", "main"], ["--fail-if", "ir>+2%"], baseline=True, valued=["-n", "--sort", "--fail-if"]),
    "callgrind save": run("callgrind", ["--save-baseline", "new"], valued=["-n", "--repeat"]), "callgrind keep": run("callgrind", "--keep", outputs=["callgrind.out"]),
    "callgrind apart": run("callgrind", "--processes", flags=["--threads", "--parts", "--json"]), "callgrind threads": run("callgrind", "--threads"), "callgrind repeat": run("callgrind", ["--repeat", "2"]),
    "scale": run("scale", ["--sizes", "1,2,3,4,6"], ["--env", "N={n}"], ["--svg", "out.svg"], ["--html", "out.html"], valued=["-n", "--sort", "--filter", "--names", "--fail-if"],
                 flags=["--json", "--plot", "-q"], outputs=["out.svg", "out.html"]),
    "scale sizes": run("scale", ["--env", "N={n}"], valued=["--sizes", "--check", "-n"], flags=["--json", "--auto=1", "--any-status"]),
    "bisect": run("bisect", ["--good", "HEAD~1"], valued=["--bad", "--fail-if", "--build", "-n"], flags=["--json", "--heap"]),
    "report layout": report(valued=["--layout", "--view", "-n"]),
    "heap": run("heap", valued=["--alloc-function", "--sort", "--view"]),
    "callgrind options": run("callgrind", valued=["--max-contexts", "--env", "--I1", "--vg-opt", "--toggle-collect", "--count-arg", "--section-caches", "--schedule", "--clock", "--machine", "--cpu-level", "--rep"]),
    "words": words, "help": help_of}
