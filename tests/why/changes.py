"""changes.py BUILD [CHANGES [DOCUMENT]] - is the reason that --why gives the planted one? CHANGES is "all", or "21-40": those of planted.py by number, or
"seeds=1-80": those that seeds make (random_programs.py).

Each change is built twice, counted and compared. All parts have to add up to the change, to the unit; the sentence has to name the function and the cause
that were planted; and what it states as certain has to be so, by other means: objdump says whether code is the same, nm whether a function was there.
Prints TAP. What is found is kept in BUILD/why.results, so that pieces make one table, which DOCUMENT gets in place of its own.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from planted import CHANGES, text_of
from random_programs import RANDOM, random_change

RIGHT, MAYBE, WRONG = "right", "said as may", "wrong"
UNSURE = ["work", "variant_maybe", "split", "joined", "renamed"] # causes that are not stated as certain
SIDES = "old", "new"
HEADINGS = "## Planted changes", "### Random programs"


def say(text):
    print("# " + text, file=sys.stderr, flush=True)


class Pair:
    """The two builds of a change, and their profiles."""

    def __init__(self, cprof, folder, change):
        self.cprof, self.folder, self.change = cprof, folder, change
        self.environment = {**os.environ, "XDG_STATE_HOME": os.path.join(folder, "state"), "TMPDIR": folder, "LC_ALL": "C", "CARGO_TARGET_DIR": os.path.join(folder, "target")}

    def call(self, *command):
        ran = subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if ran.returncode:
            raise RuntimeError("%s: %s" % (" ".join(command), ran.stderr))
        return ran.stdout

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def program(self, side):
        return os.path.join(self.folder, "built", SIDES[side], "prog")

    def build_c(self, side):
        change, flags = self.change, self.change.flags[side].split()
        compiler = [os.environ.get("CC", "cc"), *([] if any(f.startswith("-O") for f in flags) else ["-O1"]), "-g", "-fno-ipa-ra"]
        if change.dependency:
            source = self.write("dep.c", text_of(change.dependency, side))
            library = os.path.join(self.folder, "built", SIDES[side], "libdep.so")
            self.call(*compiler, "-shared", "-fPIC", "-o", library, source)
            flags += [library, "-Wl,-rpath,$ORIGIN"]
        self.call(*compiler, "-o", self.program(side), self.write("prog.c", change.source(side)), *flags)

    def build_rs(self, side):
        change, extern = self.change, []
        compiler = [os.environ.get("RUSTC", "rustc"), "--edition", "2021", "-O", "-g"]
        if change.dependency:
            place = ".cargo/registry/src/index.crates.io-6f17d22bba15001f/dep-%s/src/lib.rs" % change.versions[side]
            library = os.path.join(self.folder, "built", SIDES[side], "libdep.rlib")
            self.call(*compiler, "--crate-type", "rlib", "--crate-name", "dep", "-o", library, self.write(place, text_of(change.dependency, side)))
            extern = ["--extern", "dep=" + library]
        self.call(*compiler, "--crate-name", "prog", "-o", self.program(side), self.write("prog.rs", change.source(side)), *extern)

    def prepare_cargo(self, side):
        self.write("Cargo.toml", '[package]\nname = "prog"\nversion = "0.1.0"\nedition = "2021"\n[profile.release]\ndebug = 1\n%s\n[workspace]\n' % self.change.flags[side])
        self.write("src/main.rs", self.change.source(side))

    def profile(self, side):
        """Builds one side, and keeps its profile as a baseline of that name."""
        change = self.change
        os.makedirs(os.path.dirname(self.program(side)), exist_ok=True)
        level = ["--machine", "fixed", "--cpu-level", change.levels[side]] if change.levels[side] else []
        what = ["--release"] if change.language == "cargo" else ["--bin", self.program(side)]
        {"c": self.build_c, "rs": self.build_rs, "cargo": self.prepare_cargo}[change.language](side)
        self.call(self.cprof, "callgrind", "-q", "--deterministic", *level, *what, "--save-baseline", SIDES[side])
        if change.language == "cargo":
            shutil.copy(os.path.join(self.folder, "target/release/prog"), self.program(side))

    def compare(self):
        for side in range(2):
            self.profile(side)
        return json.loads(self.call(self.cprof, "diff", "--why", "--json", *SIDES))


# --- What others say of the programs

def plain(name):
    """A function's name without what differs between builds."""
    return re.sub(r"(::h[0-9a-f]{16}| \[h[0-9a-f]+\]|(?<=,) |\.(isra|part|constprop|cold|lto_priv)\.?\d*)", "", name)


class Program:
    """An executable, by binutils."""

    def __init__(self, path):
        self.path, self.symbols = path, {}
        mangled, readable = (self.call("nm", "--defined-only", *options, path).splitlines() for options in ([], ["-C"]))
        for line, name in zip(mangled, readable):
            if line.split()[1] in "tTwW":
                self.symbols.setdefault(plain(name.split(" ", 2)[2]), []).append(line.split(" ", 2)[2])

    @staticmethod
    def call(*command):
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, errors="replace").stdout

    def named(self, label):
        """The symbols of functions that a table may call so."""
        label = plain(label)
        return [s for name, symbols in self.symbols.items() if name == label or name.endswith("::" + label) for s in symbols]

    def code(self, symbol):
        """Its instructions, with nothing in them that moves."""
        lines = []
        for line in self.call("objdump", "-d", "--no-show-raw-insn", "-M", "intel", "--disassemble=" + symbol, self.path).splitlines():
            found = re.match(r"\s+([0-9a-f]+):\t(.*)$", line)
            if not found or found[2].startswith(("nop", "data16", "cs nop", "xchg   ax,ax")):
                continue
            text = re.sub(r"\[rip[+-]0x[0-9a-f]+\]", "[rip]", found[2].split("#")[0]).strip()
            lines.append(re.sub(r"[0-9a-f]+ <.*>", "to", text))
        return lines


def contradictions(why, programs):
    """What a comparison states as certain, and is not so by binutils."""
    found = []
    for reason in (r for f in why["functions"] for r in f["reasons"]):
        cause, name = reason["cause"], reason["function"]
        symbols = [p.named(name) for p in programs]
        if cause in ("work_same_code", "work_other_code") and [len(s) for s in symbols] == [1, 1]:
            old, new = (p.code(s[0]) for p, s in zip(programs, symbols))
            if old and new and (old == new) != (cause == "work_same_code"):
                found.append("%s: %s" % (cause, name))
        elif cause in ("inlined_no_longer", "inlined_now") and re.fullmatch(r"[\w:]+", name) and not symbols[cause == "inlined_no_longer"]:
            found.append("%s: %s" % (cause, name))
    return found


# --- Verdicts

def parts_of(sentence):
    """(function, reasons) of each function that the sentence names."""
    _, _, tail = sentence.replace("prog::", "").partition("), ")
    return [re.match(r".*? in (.*?)(?:: (.*))?$", part).groups() for part in tail.split(". And ") if " in " in part]


def judge(change, compared, programs):
    why = compared["why"][0]
    delta = why["new"] - why["old"]
    sums = [sum(f["change"] for f in why["functions"]), sum(r["change"] for f in why["functions"] for r in f["reasons"])]
    named = parts_of(why["sentence"])
    function, reasons = (named or [("", "")])[0]
    fits = bool(named) and re.fullmatch(r"(%s)(::\{closure\})?( \[\d+ instances\])?" % change.where, function) and re.search(change.says, reasons or "")
    if change.kind == "flags":
        fits = fits and re.search("flags|settings", why.get("builds", ""))
    first = next((f for f in why["functions"] if f["label"].replace("prog::", "") == function), {"reasons": [{"cause": "work"}]})
    verdict = RIGHT if fits else MAYBE if first["reasons"][0]["cause"] in UNSURE else WRONG
    wrong = contradictions(why, programs)
    if any(r["cause"] == "library" for f in why["functions"] for r in f["reasons"]) and "library" not in change.title:
        wrong.append("library")
    if any(r["cause"] == "variant" for f in why["functions"] for r in f["reasons"]) and not change.levels[0]:
        wrong.append("variant")
    if any(r["cause"] == "version" for f in why["functions"] for r in f["reasons"]) and change.versions[0] == change.versions[1]:
        wrong.append("version")
    return {"kind": change.kind, "verdict": verdict, "adds_up": sums == [delta, delta], "old": why["old"], "change": delta, "sentence": why["sentence"],
            "builds": why.get("builds", ""), "untrue": wrong}


def measure(cprof, change):
    with tempfile.TemporaryDirectory() as folder:
        pair = Pair(cprof, folder, change)
        compared = pair.compare()
        return judge(change, compared, [Program(pair.program(side)) for side in range(2)])


def table(results):
    """Rows of Markdown, one for each kind."""
    rows = [["Change", "Pairs", "Parts add up", "Cause right", "Said as may", "Wrong", "Untrue statements"]]
    for kind in [*dict.fromkeys(r["kind"] for r in results), "all"]:
        own = [r for r in results if kind in (r["kind"], "all")]
        rows.append([kind.replace(RANDOM, ""), len(own), sum(r["adds_up"] for r in own), *(sum(r["verdict"] == v for r in own) for v in (RIGHT, MAYBE, WRONG)),
                     sum(bool(r["untrue"]) for r in own)])
    lines = ["| %s |" % " | ".join(map(str, row)) for row in rows]
    return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]


def put_table(path, heading, lines):
    """Replaces the table below a heading."""
    with open(path, encoding="utf-8") as source:
        text = source.read()
    begin = text.index("\n| ", text.index(heading)) + 1
    end = text.index("\n\n", begin)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text[:begin] + "\n".join(lines) + text[end:])


def choose(which):
    what, _, numbers = which.rpartition("=")
    first, _, last = ("1-%d" % len(CHANGES) if which == "all" else numbers).partition("-")
    numbers = range(int(first), int(last or first) + 1)
    return [random_change(i) if what else CHANGES[i - 1] for i in numbers]


def name_of(change):
    return "%s: %s (%s)" % (change.kind, change.title, change.language)


def main(build, which="all", document=None):
    path = os.path.join(build, "why.results")
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as source:
            known = json.load(source)
    cprof, failed = os.path.join(os.path.abspath(build), "cargo-cprof"), []
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for change, job in [(c, pool.submit(measure, cprof, c)) for c in choose(which)]:
            try:
                found = known[name_of(change)] = job.result()
                say("%s: %s%s%s; %s%s" % (name_of(change), found["verdict"], "" if found["adds_up"] else " DOES NOT ADD UP",
                                          " UNTRUE %s" % found["untrue"] if found["untrue"] else "", found["sentence"],
                                          " [%s]" % found["builds"] if found["builds"] else ""))
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                failed.append(name_of(change))
                say("%s: %s" % (name_of(change), error))
    with open(path, "w", encoding="utf-8") as out:
        json.dump(known, out, indent=1)
    planted = [name_of(c) for c in CHANGES]
    for heading, names in zip(HEADINGS, ([n for n in planted if n in known], sorted(n for n in known if n.startswith(RANDOM)))):
        lines = table([known[n] for n in names])
        if names:
            print(*("# " + line for line in lines), sep="\n")
        if names and document:
            put_table(document, heading, lines)
    return report([known[n] for n in known if n in planted or n.startswith(RANDOM)], failed)


def report(results, failed):
    """TAP of all that is known. Returns true where something is not as it has to be."""
    n, right, whole = len(results), sum(r["verdict"] == RIGHT for r in results), sum(r["adds_up"] for r in results)
    untrue = sum(r["verdict"] == WRONG or bool(r["untrue"]) for r in results)
    tests = [(not failed, "%d changes could not be measured" % len(failed)), (whole == n, "%d of %d: parts add up" % (whole, n)),
             (20 * right >= 19 * n, "%d of %d: the sentence names the cause" % (right, n)),
             (not untrue, "%d: another cause is named, or what is stated as certain is not so" % untrue)]
    for i, (ok, text) in enumerate(tests):
        print("%s %d - %s" % ("ok" if ok else "not ok", i + 1, text))
    print("1..%d" % len(tests))
    return not all(ok for ok, _ in tests)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
