"""Runs what documents show: samples.py BUILD PACKAGE FOLDER DOCUMENT...

PACKAGE is a cargo package that is built; each document begins with a fresh copy of it in FOLDER. In the order of the document:
  ```sh     lines with `cargo cprof` run as they are; "# status 3" at the end says that they end with 3
  ```       where the first line begins with `$ `: a sample, commands with what they print on standard output, and messages
  ```diff   is applied
  `FILE`:   alone on a line: the next block becomes that file
Samples are compared without numbers, and without the program's own output; a line "…" stands for any lines. Tables have other
rows with another compiler: then their heads and last lines are compared. CPROF_SAMPLES=write makes the samples anew.
CPROF_SAMPLES_RAN is a command that was run in PACKAGE, and is not run again.
"""
import os
import re
import shutil
import subprocess
import sys

MADE = "1.95", "glibc 2.36"  # the rustc and the libc that the samples were made with
WIDTH = 120
count = failed = 0


def ok(good, name, notes=()):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}")
    for note in [] if good else notes:
        print("#", note)


def blocks(lines):
    """Yields (word behind ```, first line, end, file that it becomes)."""
    start = target = None
    for i, line in enumerate(lines):
        if line.startswith("```") and start is None:
            start, word = i, line[3:].strip()
        elif line == "```":
            yield word, start + 1, i, target
            start = target = None
        elif start is None and line:
            match = re.fullmatch(r"`([^`]+)`:", line)
            target = match.group(1) if match else target if line.startswith("<!--") else None


def missing(command):
    """A program that the command needs and that is not here."""
    for word in re.findall(r"(?:^|[|;&]\s*)([a-z][\w-]*)", re.sub(r"'[^']*'", "", command)):
        if subprocess.run(["sh", "-c", f"command -v {word}"], stdout=subprocess.DEVNULL).returncode != 0:
            return word
    return None


def run(command, folder):
    """(status, standard output, messages); what needs a terminal gets one, and the key q."""
    if re.search(r"cprof browse|--tui", command):
        command = f"printf q | script -qec 'TERM=xterm {command}' /dev/null"
    done = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def plain(line):
    line = re.sub(r"_(sse2|avx2|fma|evex|avx512)(?=_| )", "_X", line)
    return re.sub(r"\s+", " ", re.sub(r"\d[\d,.]*", "N", line)).rstrip()


def ends(lines):
    """The lines of a table that no compiler changes: its head, and the last one. Words in place of numbers of calls depend on the rows."""
    lines = [line for line in lines if not line.startswith("Calls: ")]
    heads = lines[:1] + (lines[2:3] if lines[1:2] == [""] else [])
    return [plain(line) for line in heads if not re.search("[─├└│]|::", line)] + [
        re.sub(r"[\d.,]+|N", "N", plain(line)) for line in lines[-1:]]


class Document:
    def __init__(self, path, package, folder, own):
        self.path, self.folder, self.own = path, folder, own
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(package, folder, copy_function=shutil.copy2)
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.name = os.path.basename(path)

    def commands(self, start, end):
        for line in self.lines[start:end]:
            command, status = re.sub(r"\s+# .*", "", line), re.search(r"# status (\d+)", line)
            if "cargo cprof" not in command or command.lstrip().startswith("#") or command.strip() == os.environ.get("CPROF_SAMPLES_RAN"):
                continue
            lacks = missing(command)
            if lacks:
                ok(True, f"{self.name}: {command} # SKIP no {lacks}")
                continue
            got, _, errors = run(command, self.folder)
            ok(got == (int(status.group(1)) if status else 0), f"{self.name}: {command}", [f"status {got}"] + errors.split("\n"))

    def sample(self, start, end, exact):
        """Returns the block as it should be."""
        shown, whole = [], self.lines[start:end]
        starts = [i for i, line in enumerate(whole) if line.startswith("$ ")]
        for i, at in enumerate(starts):
            wanted = whole[at + 1:starts[i + 1] if i + 1 < len(starts) else len(whole)]
            status, out, errors = run(whole[at][2:], self.folder)
            got = [line for line in out.rstrip("\n").split("\n") if line not in self.own]
            if any(line.startswith("cargo-cprof: ") for line in wanted):
                got += [line for line in errors.split("\n") if line.startswith("cargo-cprof: error")]
            got = [line.replace(self.folder, "/home/me/nnet") for line in got]
            got = [line if len(line) <= WIDTH else line[:WIDTH - 1] + "…" for line in got]
            if "…" in wanted:
                cut = wanted.index("…")
                got = got[:cut] + ["…"] + got[len(got) - (len(wanted) - cut - 1):]
            same = [plain(line) for line in got] == [plain(line) for line in wanted]
            if not exact:
                same = bool(wanted) and ends(got) == ends(wanted)
            ok(same or WRITE and len(got) > 1, f"{self.name}: sample of {whole[at][2:]}", [f"status {status}"] + got + errors.split("\n"))
            shown += [whole[at]] + got
        return shown

    def go(self, exact):
        edits = []
        for word, start, end, target in blocks(self.lines):
            text = "\n".join(self.lines[start:end]) + "\n"
            if target:
                os.makedirs(os.path.dirname(os.path.join(self.folder, target)) or ".", exist_ok=True)
                with open(os.path.join(self.folder, target), "w", encoding="utf-8") as file:
                    file.write(text)
            elif word == "sh":
                self.commands(start, end)
            elif word == "diff":
                done = subprocess.run(["patch", "-p1"], cwd=self.folder, input=text.encode(), capture_output=True)
                ok(done.returncode == 0, f"{self.name}: the change applies", done.stdout.decode().split("\n"))
            elif word == "" and self.lines[start].startswith("$ "):
                edits.append((start, end, self.sample(start, end, exact)))
        if WRITE:
            for start, end, shown in reversed(edits):
                self.lines[start:end] = shown
            with open(self.path, "w", encoding="utf-8") as file:
                file.write("\n".join(self.lines))


WRITE = os.environ.get("CPROF_SAMPLES") == "write"
build, package, folder, *documents = sys.argv[1:]
os.environ["PATH"] = build + ":" + os.environ["PATH"]
version = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.split()
exact = version[1:2] and version[1].startswith(MADE[0] + ".") and os.confstr("CS_GNU_LIBC_VERSION") == MADE[1]
if not exact:
    print("# rustc or libc is another than", *MADE)
for path in documents:
    # What the program prints itself, whatever it is called with.
    own = set()
    for words in ["nnet", "6"], ["nnet", "60"], ["sections", "plain", "100"]:
        program = f"{package}/target/release/{words[0]}"
        if os.path.exists(program):
            own |= set(subprocess.run([program] + words[1:], capture_output=True, text=True).stdout.split("\n")) - {""}
    Document(path, package, folder, own).go(exact)
print(f"1..{count}")
sys.exit(failed > 0)
