"""side-by-side.py BUILD [RUNS [JOBS]] - profiles a program RUNS times (1000) in one folder, JOBS at a time (8): every fourth run by cargo, where there is
one, the others by --bin. Each has arguments of its own, so that its counts tell whose they are. No run may lose its profile or show another's, the last
run's profile is whole at any time, and nothing stays behind. Prints TAP.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 40 # arguments


class Package:
    """A folder with a program without libc, and where cargo can build one, a package."""

    def __init__(self, build, folder):
        self.cprof, self.folder = os.path.join(build, "cargo-cprof"), folder
        self.environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "TMPDIR": os.path.join(folder, "tmp"), "LC_ALL": "C", "NO_COLOR": "1",
                            "XDG_STATE_HOME": os.path.join(folder, "state"), "CARGO_NET_OFFLINE": "true", "CARGO_TERM_COLOR": "never",
                            **{k: v for k, v in os.environ.items() if k in ("CPROF_TOOL_DIR", "ASAN_OPTIONS", "CARGO_HOME", "RUSTUP_HOME", "CARGO")}}
        if os.environ.get("CARGO"):
            self.environment["PATH"] = os.path.dirname(os.environ["CARGO"]) + ":" + self.environment["PATH"]
        self.by_cargo = False

    def make(self):
        os.mkdir(self.environment["TMPDIR"])
        shutil.copy(os.path.join(HERE, "tiny.c"), self.folder)
        made = subprocess.run([*os.environ.get("CC", "gcc").split(), "-g", "-O1", "-nostdlib", "-static", "-no-pie", "-fno-pie", "-o", "tiny", "tiny.c"], cwd=self.folder, capture_output=True)
        return made.returncode == 0

    def make_package(self):
        os.mkdir(os.path.join(self.folder, "src"))
        with open(os.path.join(self.folder, "Cargo.toml"), "w") as f:
            f.write('[package]\nname = "counts"\nversion = "0.1.0"\nedition = "2018"\n')
        with open(os.path.join(self.folder, "src/main.rs"), "w") as f:
            f.write("#[inline(never)]\nfn work(n: usize) { for i in 0..n { unsafe { std::ptr::read_volatile(&i); } } }\nfn main() { work(1000 * std::env::args().count()) }\n")
        self.by_cargo = self.run(["callgrind", "--json"]).returncode == 0

    def run(self, words):
        return subprocess.run([self.cprof, *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)

    def words_of(self, i, n):
        by_cargo = self.by_cargo and i % 4 == 3
        return ["callgrind", *([] if by_cargo else ["--bin", "./tiny"]), "--json", "-o", "out.%d" % i, "--save-baseline", "b%d" % i, "--", *["x"] * n], by_cargo


def cost_of(path):
    """What the function of interest cost itself, and how many arguments the file says that there were."""
    with open(path, encoding="utf-8") as f:
        document = json.load(f)
    found = [g for g in document["functions"] if g["name"].split("::")[-1] == "work"]
    return found[0]["self"]["Ir"], len(document["command"]) - 1


class Attack:
    def __init__(self, package, runs):
        self.package, self.runs, self.next, self.lock, self.wrong, self.done = package, runs, 0, threading.Lock(), [], False
        self.seen = {}
        self.looks = 0

    def fail(self, text):
        with self.lock:
            self.wrong.append(text)

    def work(self):
        while True:
            with self.lock:
                i, self.next = self.next, self.next + 1
            if i >= self.runs:
                return
            n = i % LONGEST
            words, by_cargo = self.package.words_of(i, n)
            result = self.package.run(words)
            if result.returncode:
                self.fail("run %d: status %d: %s" % (i, result.returncode, result.stderr.decode(errors="replace")[-300:]))
                continue
            cost, arguments = cost_of(os.path.join(self.package.folder, "out.%d" % i))
            if arguments != n:
                self.fail("run %d has another's profile: %d arguments, not %d" % (i, arguments, n))
            with self.lock:
                self.seen.setdefault((by_cargo, n), set()).add(cost)

    def look(self):
        """Reads the last run, again and again: it is whole, whoever writes it."""
        while not self.done:
            result = self.package.run(["report", "--strict", "--json"])
            self.looks += 1
            if result.returncode:
                self.fail("the last run: %s" % result.stderr.decode(errors="replace")[-300:])

    def judge_counts(self):
        for (by_cargo, n), costs in sorted(self.seen.items()):
            if len(costs) != 1:
                self.fail("counts of one command differ: %r" % costs)
        for by_cargo in (False, True):
            points = sorted((n, min(c)) for (by, n), c in self.seen.items() if by == by_cargo)
            steps = {(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(points, points[1:])}
            if len(steps) > 1:
                self.fail("an argument does not always cost the same: %r" % steps)

    def judge_rest(self):
        left = os.listdir(self.package.environment["TMPDIR"])
        if left:
            self.fail("left in the temporary folder: %r" % left[:5])
        for base, _, names in os.walk(self.package.folder):
            if os.path.relpath(base, self.package.folder).split(os.sep)[0] == "target" and "cprof" not in base:
                continue
            odd = [n for n in names if n.startswith(("out.", "last.")) and n.count(".") > 1 and not n.endswith((".cprof", ".packages.json")) or ".cprof." in n]
            if odd:
                self.fail("left in %s: %r" % (base, odd[:5]))
        listed = self.package.run(["baselines"]).stdout.decode().split()
        missing = [i for i in range(self.runs) if "b%d" % i not in listed]
        if missing:
            self.fail("%d baselines are not there: %r" % (len(missing), missing[:5]))


def main():
    build, runs, jobs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000, int(sys.argv[3]) if len(sys.argv) > 3 else 8
    with tempfile.TemporaryDirectory(prefix="cprof-side.") as folder:
        package = Package(build, folder)
        if not package.make() or package.run(["callgrind", "--bin", "./tiny"]).returncode:
            print("1..0 # SKIP no compiler, or no tool")
            return 0
        package.make_package()
        attack = Attack(package, runs)
        threads = [threading.Thread(target=attack.work) for _ in range(jobs)]
        looker = threading.Thread(target=attack.look)
        for t in threads + [looker]:
            t.start()
        for t in threads:
            t.join()
        attack.done = True
        looker.join()
        attack.judge_counts()
        attack.judge_rest()
    print("%sok 1 - %d runs side by side, %s, %d looks at the last one" % ("not " if attack.wrong else "", runs, "a quarter by cargo" if package.by_cargo else "none by cargo", attack.looks))
    for text in attack.wrong[:20]:
        print("# " + text.replace("\n", "\n# "))
    print("1..1")
    return 1 if attack.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
