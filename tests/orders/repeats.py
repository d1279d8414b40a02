"""repeats.py BUILD [RUNS [PROGRAMS]] - whether programs with threads repeat: RUNS (50) runs of each of 42 with a fixed schedule and a fixed clock, at first
without call paths; then 5, or a tenth as many, with call paths, caches and heap, and as many by the other engine. PROGRAMS: a part of their names. A line
each says how many totals there were, how many profiles (byte for byte, but for the process's number), how often real time decided, and how many totals
the system's schedule gave; least processor time of both. Prints TAP: a program that real time did not decide on has one profile.
"""
import collections
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ORDER = "mutexes limits spins pipes events nets children exits interrupts cancels waits timers files made owners handed shared".split()
THREADS = "join mutex rwlock channels mpmc pool scopes condvar timers net children spins exits tasks".split()
CRATES = "rayon rayon-in-rayon crossbeam tokio tokio-net".split()
FIXED = ["--fixed-schedule=yes", "--fixed-clock=yes"]
PLAIN = ["--contexts=no", "--cache-sim=no"]
WHOLE = ["--contexts=yes", "--cache-sim=yes", "--heap=yes"]
LIMIT, FREE_LIMIT = 120, 20 # seconds of a run: none waits so long, but for some of which a signal comes too early in the system's order
MANIFEST = """[package]
name = "crates"
version = "0.1.0"
edition = "2021"
[dependencies]
rayon = "1"
crossbeam-channel = "0.5"
tokio = { version = "1", features = ["rt-multi-thread", "time", "net", "io-util", "sync"] }
[profile.release]
debug = 1
[workspace]
"""
VENDORED = '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n'


class Programs:
    """Builds them below a folder; those that cannot be had are left out, with the reason."""

    def __init__(self, folder):
        self.folder, self.all = folder, []
        self.c()
        self.rust()
        self.cargo()
        self.java()
        self.installed()

    def path(self, name):
        return os.path.join(self.folder, name)

    def made(self, name, *command, below=""):
        """True: the command, which runs in a folder below, has made it."""
        if not shutil.which(command[0]):
            print("# %s: no %s" % (name, command[0]))
            return False
        ran = subprocess.run(command, cwd=self.path(below), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ran.returncode:
            print("# %s: %s fails: %s" % (name, command[0], ran.stdout[-300:]))
        return not ran.returncode

    def add(self, title, *command):
        self.all.append((title, command))

    def c(self):
        if self.made("order.c", os.environ.get("CC", "cc"), "-O1", "-g", "-pthread", "-o", "order", os.path.join(HERE, "../tool/programs/order.c")):
            for case in ORDER:
                self.add("C, " + case, self.path("order"), case)
        if self.made("futures.cc", "c++", "-O2", "-g", "-pthread", "-o", "futures", os.path.join(HERE, "futures.cc")):
            self.add("C++, std::async", self.path("futures"))

    def rust(self):
        rustc = os.environ.get("RUSTC", "rustc")
        if self.made("threads.rs", rustc, "--edition", "2021", "-O", "-g", "-o", "threads", os.path.join(HERE, "threads.rs")):
            for case in THREADS:
                self.add("Rust, " + case, self.path("threads"), case)
        if self.made("tests", rustc, "--edition", "2021", "-O", "-g", "--test", "-o", "libtest", os.path.join(HERE, "threads.rs")):
            self.add("Rust, libtest", self.path("libtest"), "--test-threads=4")

    def cargo(self):
        for name, text in ("Cargo.toml", MANIFEST), (".cargo/config.toml", VENDORED):
            os.makedirs(os.path.dirname(self.path("crates/" + name)), exist_ok=True)
            with open(self.path("crates/" + name), "w", encoding="ascii") as out:
                out.write(text)
        os.makedirs(self.path("crates/src"))
        shutil.copy(os.path.join(HERE, "crates.rs"), self.path("crates/src/main.rs"))
        if self.made("crates.rs", os.environ.get("CARGO", "cargo"), "build", "--release", "--offline", "-q", below="crates"):
            for case in CRATES:
                self.add("Rust, " + case, self.path("crates/target/release/crates"), case)

    def java(self):
        if self.made("Crew.java", "javac", "-d", self.folder, os.path.join(HERE, "Crew.java")):
            self.add("Java", "/usr/bin/java", "-Xmx64m", "-Xint", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", self.folder, "Crew")

    def installed(self):
        with open(self.path("lines"), "w", encoding="ascii") as out:
            out.writelines("line %d of a text\n" % (i * 7919 % 60000) for i in range(60000))
        self.add("Python", "/usr/bin/python3", "-S", "-E", os.path.join(HERE, "crew.py"))
        self.add("sort --parallel", "/usr/bin/sort", "--parallel=4", "-S", "4M", self.path("lines"))
        self.add("xz -T2", "/usr/bin/xz", "-T2", "--block-size=300000", "-0", "-kc", self.path("lines"))


class Run:
    """A profile, and what its run took."""

    totals = {} # by digests

    def __init__(self, build, folder, command, options, limit):
        raw, valgrind = os.path.join(folder, "raw"), os.environ.get("VALGRIND_BIN", "valgrind")
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0",
                       "VALGRIND_LIB": os.path.join(os.path.abspath(build), "vgtool/in-place")}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run(["timeout", "-s", "KILL", str(limit), valgrind, "--command-line-only=yes", "--vgdb=no", "-q", "--tool=cprof", "--deterministic=yes",
                              "--fixed-machine=yes", "--cprof-out-file=" + raw, *options, *command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        self.status, self.errors = ran.returncode, ran.stderr.decode(errors="replace")
        self.decisions, self.digest, self.total = 0, "", 0
        if self.status < 0 or not os.path.exists(raw):
            return
        with open(raw, "rb") as profile:
            text = profile.read()
        decisions = re.search(rb"^decisions: (\d+)", text, re.M)
        self.decisions += int(decisions.group(1)) if decisions else 0
        self.digest = hashlib.sha256(re.sub(rb"^pid: \d+\n", b"", text, flags=re.M)).hexdigest()
        if self.digest not in self.totals:
            shown = subprocess.run([os.path.join(build, "cargo-cprof"), "report", "--json", raw], env=environment, stdout=subprocess.PIPE, check=True)
            self.totals[self.digest] = json.loads(shown.stdout)["totals"]["Ir"]
        self.total = self.totals[self.digest]
        os.unlink(raw)


class Table:
    """All runs, and the line of each program."""

    def __init__(self, build, folder, runs):
        self.build, self.folder, self.runs, self.failed, self.n = build, folder, runs, [], 0

    def several(self, n, title, command, *options):
        runs = [Run(self.build, self.folder, command, options, LIMIT) for _ in range(n)]
        for run in runs:
            if run.status:
                self.failed.append("%s: status %d: %s" % (title, run.status, run.errors[-300:]))
        return runs

    def by_system(self, n, command):
        """Those that end well."""
        runs = [Run(self.build, self.folder, command, PLAIN, FREE_LIMIT) for _ in range(n)]
        return [run for run in runs if not run.status]

    def line(self, title, command):
        few = min(self.runs, max(5, self.runs // 10))
        plain, whole, vex = (self.several(n, title, command, *FIXED, *options) for n, options in
                             ((self.runs, PLAIN), (few, WHOLE), (few, PLAIN + ["--engine=vex"])))
        free = self.by_system(few, command)
        digests = [len({run.digest for run in runs}) for runs in (plain, whole, vex)]
        decided = max(run.decisions for run in plain + whole + vex)
        if max(digests) > 1 and not decided:
            self.failed.append("%s: %s profiles, and real time decided nothing" % (title, digests))
        times = [min((run.seconds for run in runs), default=0) for runs in (plain, free or plain)]
        print("# | %s | %d of %d | %d of %d | %d of %d | %s | %d of %d | %.2f | %.2f |" % (
            title, len({run.total for run in plain}), self.runs, digests[1], few, digests[2], few, decided or "0", len({run.total for run in free}), len(free), *times),
              flush=True)
        self.n += 1
        return times


def main(build, runs=50, part=""):
    with tempfile.TemporaryDirectory() as folder:
        table, sums = Table(build, folder, int(runs)), collections.Counter()
        print("# | Program | Totals | Profiles | By VEX | Decisions | Free | Seconds | Free |")
        for title, command in Programs(folder).all:
            if part in title:
                fixed, free = table.line(title, command)
                sums.update(fixed=fixed, free=free)
    print("# processor time: %.2f s, by the system's schedule %.2f s" % (sums["fixed"], sums["free"]))
    for failure in table.failed:
        print("# " + failure.replace("\n", " "))
    print("%s 1 - %d programs with threads repeat" % ("not ok" if table.failed else "ok", table.n))
    print("1..1")
    return bool(table.failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
