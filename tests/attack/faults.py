"""faults.py BUILD KIND[:EACH[:COMMAND,...]]... - makes cargo-cprof's system calls fail in turn (KIND: calls), kills it at each that changes files (kills), or
makes its allocations fail in turn (allocations); EACH is how many of these are tried of each command, spread evenly (0: all);
COMMAND is one of COMMANDS. Prints TAP.

A run that goes wrong ends with status 1 and a message, or shows the same as a run that does not, or says more than that. No file of the user is ever
anything but what it was or what it was to become, as a whole; nothing stays behind. Killed, it may leave temporary files, but what comes after works.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# What a system call fails with; those that are not here cannot fail, or not by themselves.
ERRORS = {"openat": ["EMFILE", "EACCES"], "read": ["EIO"], "pread64": ["EIO"], "write": ["ENOSPC", "EIO"], "writev": ["ENOSPC"], "close": ["EIO"],
          "mmap": ["ENOMEM"], "mremap": ["ENOMEM"], "mprotect": ["ENOMEM"], "fstat": ["EIO"], "newfstatat": ["EACCES"], "stat": ["EACCES"],
          "lstat": ["EACCES"], "statx": ["EACCES"], "lseek": ["ESPIPE"], "access": ["EACCES"], "faccessat": ["EACCES"], "faccessat2": ["EACCES"],
          "readlink": ["EACCES"], "readlinkat": ["EACCES"], "getcwd": ["ENOENT"], "rename": ["EACCES", "ENOSPC"], "unlink": ["EACCES"],
          "unlinkat": ["EACCES"], "rmdir": ["EBUSY"], "mkdir": ["EROFS"], "link": ["EMLINK"], "fchmod": ["EPERM"], "chmod": ["EPERM"],
          "ftruncate": ["EIO"], "getdents64": ["EIO"], "ioctl": ["EIO"], "fcntl": ["EINVAL"], "pipe2": ["EMFILE"], "clone": ["EAGAIN"],
          "clone3": ["EAGAIN"], "vfork": ["EAGAIN"], "wait4": ["ECHILD"], "poll": ["ENOMEM"], "memfd_create": ["EMFILE"], "dup": ["EMFILE"],
          "dup3": ["EMFILE"], "getrandom": ["ENOSYS"], "sysinfo": ["EFAULT"], "statfs": ["EACCES"], "utimensat": ["EPERM"], "fsync": ["EIO"],
          "fdatasync": ["EIO"], "flock": ["ENOLCK"], "prctl": ["EINVAL"], "pidfd_open": ["ENOSYS"], "sched_getaffinity": ["EINVAL"],
          "rt_sigaction": ["EINVAL"], "kill": ["EPERM"], "uname": ["EFAULT"]}
CHANGES = ("write", "writev", "rename", "renameat2", "link", "linkat", "unlink", "unlinkat", "openat", "close", "fchmod", "mkdir", "ftruncate", "fsync", "rmdir", "utimensat",
           "clone", "clone3", "vfork", "wait4")
# What may fail without a word: the time of a file, which pprof then does not have; the machine's name, which a page then does not have.
HARMLESS = re.compile(r'newfstatat\(AT_FDCWD, "a.cprof"|uname\(')
# Calls that take away what was temporary: where they fail, that stays.
REMOVES = ("unlink", "unlinkat", "rmdir", "rename", "openat", "getdents64", "newfstatat", "fstat", "mmap")
COMMANDS = {"report": ["report", "a.cprof"], "report json": ["report", "--json=tree", "a.cprof"], "report html": ["report", "--html", "-o", "out", "a.cprof"],
            "diff": ["diff", "a.cprof", "b.cprof"], "merge": ["merge", "a.cprof", "b.cprof", "-o", "out"],
            "export": ["export", "--format", "callgrind", "-o", "out", "a.cprof"], "export pprof": ["export", "--format", "pprof", "a.cprof"],
            "annotate": ["annotate", "work", "--profile-file", "a.cprof"], "flamegraph": ["flamegraph", "-o", "out", "a.cprof"],
            "callgrind": ["callgrind", "--bin", "./tiny", "-o", "out", "--save-baseline", "main", "--", "1", "2"],
            "callgrind pages": ["callgrind", "--bin", "./tiny", "--html", "out", "--flamegraph", "out.svg", "--keep", "--", "1", "2"]}


class Tap:
    def __init__(self):
        self.n, self.failed = 0, 0

    def ok(self, good, name, notes=()):
        self.n += 1
        self.failed += not good
        print("%sok %d - %s" % ("" if good else "not ", self.n, name), flush=True)
        for note in notes[:12]:
            print("# " + note.replace("\n", "\n#   "), flush=True)


def plain(data):
    """A file or an output without what differs from run to run."""
    return re.sub(rb"(?m)^(pid: |part: |# pid |pid |==)\d+|(?<=cprof\.)[A-Za-z0-9]{6}\b|\d{4}-\d\d-\d\d.\d\d:\d\d(:\d\d)?|in \d+\.\d+s|modified \d+", b"N", data)


class Scene:
    """A folder with two profiles, a kept run, a baseline, and a file at the place of each output."""

    def __init__(self, build, scratch):
        self.cprof, self.scratch = os.path.join(build, "cargo-cprof"), scratch
        self.references = {}
        self.folder, self.pristine = os.path.join(scratch, "scene"), os.path.join(scratch, "pristine")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "TMPDIR": os.path.join(self.folder, "tmp"), "LC_ALL": "C", "NO_COLOR": "1",
                            "XDG_STATE_HOME": os.path.join(self.folder, "state"), **{k: v for k, v in os.environ.items() if k in ("CPROF_TOOL_DIR", "ASAN_OPTIONS")}}

    def make(self):
        """Whether there is a compiler and a tool to make it with."""
        os.makedirs(os.path.join(self.folder, "tmp"))
        shutil.copy(os.path.join(HERE, "tiny.c"), self.folder)
        made = subprocess.run([*os.environ.get("CC", "gcc").split(), "-g", "-O1", "-nostdlib", "-static", "-no-pie", "-fno-pie", "-o", "tiny", "tiny.c"], cwd=self.folder, capture_output=True)
        if made.returncode or self.run(["callgrind", "--bin", "./tiny"]).returncode:
            return False
        last = os.path.join(self.folder, "state/cprof/last.cprof")
        shutil.copy(last, os.path.join(self.folder, "b.cprof"))
        self.run(["callgrind", "--bin", "./tiny", "--save-baseline", "main", "--", "1"])
        shutil.copy(last, os.path.join(self.folder, "a.cprof"))
        for name in ("out", "out.svg", "callgrind.out"):
            with open(os.path.join(self.folder, name), "w") as f:
                f.write("what was there before\n")
        shutil.copytree(self.folder, self.pristine, symlinks=True)
        return True

    def restore(self):
        shutil.rmtree(self.folder)
        shutil.copytree(self.pristine, self.folder, symlinks=True)

    def reference(self, name):
        if name not in self.references:
            self.references[name] = Reference(self, COMMANDS[name])
        return self.references[name]

    def run(self, words, before=(), environment=()):
        process = subprocess.Popen([*before, self.cprof, *words], cwd=self.folder, env={**self.environment, **dict(environment)}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(timeout=60)
            return subprocess.CompletedProcess(words, process.returncode, out, err)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL) # what strace has started, too
            process.communicate()
            return subprocess.CompletedProcess(words, -999, b"", b"")

    def files(self, folder=None):
        out, folder = {}, folder or self.folder
        for base, folders, names in os.walk(folder):
            for name in names:
                path = os.path.join(base, name)
                with open(path, "rb") as f:
                    out[os.path.relpath(path, folder)] = plain(f.read())
            for name in folders:
                if base == os.path.join(folder, "tmp"):
                    out[os.path.relpath(os.path.join(base, name), folder)] = b"a folder"
        return out


class Reference:
    """A run in which nothing goes wrong: what it shows, what it makes of the files, which system calls it does."""

    def __init__(self, scene, words):
        self.words, self.log = words, os.path.join(scene.scratch, "log")
        scene.restore()
        self.old = scene.files()
        self.result = scene.run(words)
        self.new = scene.files()
        scene.restore()
        scene.run(words, ["strace", "-o", self.log])
        self.calls = self.read_calls()

    def read_calls(self):
        """(name, how many of that name before it and itself, its line) of those that main() does: the first of these looks at descriptor 0."""
        counts, out, begun, pipes = {}, [], False, set()
        with open(self.log, errors="replace") as f:
            for line in f:
                match = re.match(r"(\w+)\(", line)
                if not match:
                    continue
                name = match.group(1)
                counts[name] = counts.get(name, 0) + 1
                begun = begun or line.startswith("fcntl(0, F_GETFD")
                pipe = re.match(r"pipe2\(\[(\d+), (\d+)\]", line)
                if pipe:
                    pipes.update("close(%s)" % fd for fd in pipe.groups())
                # A close that fails has closed nevertheless; strace leaves it undone, and a pipe would never end.
                if name == "close" and line.split(" ")[0] in pipes:
                    pipes.remove(line.split(" ")[0])
                elif begun and not HARMLESS.match(line):
                    out.append((name, counts[name], line.strip()))
        return out


def files_fault(scene, reference, may_stay, said=False):
    """What is wrong with the files after a run, or None; `said`: it has said that something is missing in what it wrote."""
    now = scene.files()
    for name, data in now.items():
        if name not in reference.old and name not in reference.new:
            if not may_stay:
                return "'%s' stays behind" % name
        elif data not in (reference.old.get(name), reference.new.get(name)) and not said and not says_enough(scene, reference.new.get(name, b""), data):
            return "'%s' is neither the old nor the new file" % name
    for name in reference.old:
        if name not in now and name in reference.new:
            return "'%s' is gone" % name
    return None


# What a table or a page says in itself of names and sources that are missing.
SAID = re.compile(rb"no names for|no lines for|gone or has changed|is not there|cannot be read|source not found")


def says_enough(scene, usual, now):
    """Whether what is shown differs by something that is said in it; or by nothing but paths that stand in full, the current folder not being known."""
    if len(SAID.findall(now)) > len(SAID.findall(usual)):
        return True
    folder = os.fsencode(os.path.basename(scene.scratch))
    return re.findall(rb"\d+", now.replace(folder, b"")) == re.findall(rb"\d+", usual.replace(folder, b""))


def run_fault(scene, reference, result, may_stay):
    """What is wrong with a run in which something failed, or None."""
    if result.returncode == -999:
        return "it hangs"
    if result.returncode not in (0, 1):
        return "status %d" % result.returncode
    said, usual = plain(result.stderr).splitlines(), plain(reference.result.stderr).splitlines()
    if result.returncode == 1 and not any(b": error: " in line or b"Cannot allocate memory" in line for line in said):
        return "status 1 without a message"
    if result.returncode == 0 and [line for line in said if line not in usual] == []:
        if plain(result.stdout) != plain(reference.result.stdout) and not says_enough(scene, reference.result.stdout, result.stdout):
            return "it shows something else, and says nothing"
        after = scene.files()
        missing = [n for n, data in reference.new.items() if after.get(n) != data and not says_enough(scene, data, after.get(n, b""))]
        if missing:
            return "'%s' is not what it should be, and nothing is said" % missing[0]
    return files_fault(scene, reference, may_stay, result.returncode == 0 and any(line not in usual for line in said))


def spread(items, each):
    return items if not each or each >= len(items) else [items[(2 * i + 1) * len(items) // (2 * each)] for i in range(each)]


def attack_calls(tap, scene, each, names):
    for name, words in COMMANDS.items():
        if names and name not in names:
            continue
        reference = scene.reference(name)
        faults = [(call, n, line, error) for call, n, line in reference.calls for error in ERRORS.get(call, []) if not line.startswith("write(2,")]
        found = []
        for call, n, line, error in spread(faults, each):
            scene.restore()
            result = scene.run(words, ["strace", "-o", "/dev/null", "-e", "trace=" + call, "-e", "inject=%s:error=%s:when=%d" % (call, error, n)])
            wrong = run_fault(scene, reference, result, call in REMOVES)
            if wrong:
                found.append("%s %d, %s: %s\n%s\n%s" % (call, n, error, wrong, line[:200], result.stderr.decode(errors="replace")[-300:]))
        tap.ok(not found and faults, "%s: %d of %d system calls fail" % (name, len(spread(faults, each)), len(faults)), found)


def after_kill(scene, reference):
    """What does not work any more, or None."""
    wrong = files_fault(scene, reference, True)
    if wrong:
        return wrong
    for words in (["report", "--strict"], ["diff", "main", "last"], ["callgrind", "--bin", "./tiny"]):
        result = scene.run(words)
        if result.returncode:
            return "%s: status %d: %s" % (" ".join(words), result.returncode, result.stderr.decode(errors="replace")[-300:])
    return None


def attack_kills(tap, scene, each, names):
    for name in ("callgrind", "callgrind pages", "merge", "export", "report html", "flamegraph"):
        if names and name not in names:
            continue
        reference = scene.reference(name)
        places = [(call, n, line) for call, n, line in reference.calls if call in CHANGES]
        found = []
        for call, n, line in spread(places, each):
            scene.restore()
            result = scene.run(COMMANDS[name], ["strace", "-o", "/dev/null", "-e", "trace=" + call, "-e", "inject=%s:signal=KILL:when=%d" % (call, n)])
            wrong = after_kill(scene, reference) if result.returncode in (-9, 137) else "it is not killed: status %d" % result.returncode
            if wrong:
                found.append("%s %d: %s\n%s" % (call, n, wrong, line[:200]))
        tap.ok(not found and places, "%s: killed at %d of %d places" % (name, len(spread(places, each)), len(places)), found)


def attack_allocations(tap, scene, each, names, preload):
    """By a library that is preloaded: it writes how many allocations there were to $ATTACK_COUNT, and lets $ATTACK_FAIL fail."""
    counted = os.path.join(scene.scratch, "allocations")
    for name, words in COMMANDS.items():
        if words[0] == "callgrind" or (names and name not in names):
            continue
        reference = scene.reference(name)
        scene.restore()
        scene.run(words, (), {"LD_PRELOAD": preload, "ATTACK_COUNT": counted})
        with open(counted) as f:
            total = int(f.read())
        found = []
        for n in spread(list(range(1, total + 1)), each):
            scene.restore()
            result = scene.run(words, (), {"LD_PRELOAD": preload, "ATTACK_FAIL": str(n)})
            wrong = run_fault(scene, reference, result, False)
            if wrong:
                found.append("allocation %d: %s\n%s" % (n, wrong, result.stderr.decode(errors="replace")[-300:]))
        tap.ok(not found and total > 50, "%s: %d of %d allocations fail" % (name, len(spread(list(range(total)), each)), total), found)


def attack(tap, scene, kind, each, names):
    if kind == "calls":
        attack_calls(tap, scene, each, names)
    elif kind == "kills":
        attack_kills(tap, scene, each, names)
    else:
        preload = os.path.join(scene.scratch, "preload.so")
        if not os.path.exists(preload):
            subprocess.run([*os.environ.get("CC", "gcc").split(), "-shared", "-fPIC", "-O1", "-o", preload, os.path.join(HERE, "preload.c")], check=True)
        attack_allocations(tap, scene, each, names, preload)


def main():
    build, tap = os.path.abspath(sys.argv[1]), Tap()
    with tempfile.TemporaryDirectory(prefix="cprof-faults.") as scratch:
        scene = Scene(build, scratch)
        os.mkdir(scene.folder)
        traced = shutil.which("strace") and subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
        if not traced or not scene.make():
            print("1..0 # SKIP no strace that may trace, no compiler, or no tool")
            return 0
        for part in sys.argv[2:]:
            kind, each, names = (part + "::").split(":")[:3]
            attack(tap, scene, kind, int(each or 0), names.split(",") if names else [])
    print("1..%d" % tap.n)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
