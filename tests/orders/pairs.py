"""pairs.py BUILD [PAIRS [LANGUAGE]] - gates on programs with threads, of C ("c") or Rust ("rs"): PAIRS (40) pairs of builds that cost the same, where another
thread does some work, and as many of which the second costs 1 % more. Says how often a gate held, could not be told, and did not hold. Prints TAP: no pair
of equal cost may fail, and at most one in twenty of the others may pass.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {"c": ["MUTEX", "QUEUE", "POOL", "APART", "BARRIER", "RWLOCK"], "rs": ["mutex", "channel", "pool", "apart", "barrier", "rwlock"]}
GATES = ["ir>+0", "ir>+0.5%"]
LOOP = 6 # instructions of a round of work(), nearly: the total is measured


class Folder:
    """Where programs are built and run, with baselines of their own."""

    def __init__(self, build, folder, language):
        self.language = language
        self.cprof, self.folder = os.path.join(os.path.abspath(build), "cargo-cprof"), folder
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder, "XDG_STATE_HOME": os.path.join(folder, "state"), "LC_ALL": "C",
                            **{k: v for k, v in os.environ.items() if k in ("CPROF_TOOL_DIR", "ASAN_OPTIONS")}}

    def build(self, case, loops, more):
        """Builds the program; all are called alike."""
        if self.language == "rs":
            self.build_rust(case, loops, more)
            return
        subprocess.run([os.environ.get("CC", "cc"), "-O1", "-g", "-pthread", "-DCASE=" + case, "-DLOOPS=" + ",".join(map(str, loops)), "-DMORE=%d" % more,
                        "-o", os.path.join(self.folder, "crowd"), os.path.join(HERE, "crowd.c")], check=True)

    def build_rust(self, case, loops, more):
        source = os.path.join(self.folder, "crowd.rs")
        with open(os.path.join(HERE, "crowd.rs"), encoding="utf-8") as frame, open(source, "w", encoding="utf-8") as out:
            out.write("const CASE: &str = \"%s\";\n" % case + frame.read().replace("//!", "//").replace("[LOOPS]", str(loops)).replace("(MORE)", "(%d)" % more))
        subprocess.run([os.environ.get("RUSTC", "rustc"), "--edition", "2021", "-O", "-g", "-o", os.path.join(self.folder, "crowd"), source], check=True)

    def run(self, *options):
        """Runs it in its orders; what it writes as JSON."""
        ran = subprocess.run([self.cprof, "callgrind", "-q", "--deterministic", "--schedule", "fixed", "--clock", "fixed", "--json", "--bin", "./crowd", *options],
                             cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if ran.returncode not in (0, 3):
            sys.exit("%s: %s" % (" ".join(options), ran.stderr))
        return json.loads(ran.stdout)

    def keep(self):
        """Keeps what is built as the baseline; its total."""
        return self.run("--save-baseline", "old")["totals"]["Ir"]

    def verdicts(self):
        """Of each gate on what is built."""
        compared = self.run("--baseline", "old", *(word for gate in GATES for word in ("--fail-if", gate)))
        failed, undecided = ([o["gate"] for o in compared.get(key, [])] for key in ("failed", "undecided"))
        return ["held" if gate in failed else "cannot tell" if gate in undecided else "passed" for gate in GATES]


def main(build, pairs=40, language="c"):
    seen = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(build, path, language)
        for i in range(pairs):
            case, loop = CASES[language][i % len(CASES[language])], 300 + 137 * i
            here, there = [loop, 0, 0, 0], [0] * 4
            there[1 + i % 3] = loop
            folder.build(case, here, 0)
            total = folder.keep()
            for kind, loops, more in ("equal", there, 0), ("more", there if i % 2 else here, total // 100 // LOOP):
                folder.build(case, loops, more)
                for gate, verdict in zip(GATES, folder.verdicts()):
                    seen[kind, gate][verdict] += 1
                    seen[kind, gate, case][verdict] += 1
            print("# %d of %d: %s" % (i + 1, pairs, case), file=sys.stderr)
    for key in sorted(seen):
        print("# %-40s %s" % (" ".join(key), ", ".join("%s %d" % item for item in sorted(seen[key].items()))))
    alarms = sum(seen["equal", gate]["held"] for gate in GATES)
    missed = seen["more", "ir>+0.5%"]["passed"]
    print("%s 1 - %d pairs that cost the same: %d alarms" % ("not ok" if alarms else "ok", pairs, alarms))
    print("%s 2 - %d pairs with 1 %% more: %d pass" % ("not ok" if missed > pairs // 20 else "ok", pairs, missed))
    print("1..2")
    return bool(alarms) or missed > pairs // 20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:3]), *sys.argv[3:]))
