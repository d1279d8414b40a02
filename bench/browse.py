#!/usr/bin/python3
"""browse.py CARGO-CPROF PROFILE [RUNS]: how fast the browser opens a profile and answers keys, in a terminal of 24 x 80.

A key is answered when nothing more is written for a while. Of each the wall time up to the last byte is printed, and the
processor time that the browser took for it: the least of all runs."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

QUIET, SILENT = 0.1, 1  # seconds: after an answer, and without one
KEYS = [
    ("down", b"j"), ("page down", b" "), ("last line", b"G"), ("first line", b"g"), ("sort by the next column", b">"),
    ("reverse", b"r"), ("reverse again", b"r"), ("inclusive", b"I"), ("next event", b"e"), ("percentages", b"%"),
    ("filter", b"/"), ("its first letter", b"f"), ("second", b"u"), ("third", b"n"), ("fourth", b"_"), ("drop it", b"\x1b"),
    ("tree", b"t"), ("open a path", b"+"), ("hottest path", b"h"), ("last line of it", b"G"), ("close a path", b"-"), ("back", b"b"),
    ("paths below a function", b"T"), ("its hottest path", b"h"), ("back", b"b"), ("calls", b"c"), ("back", b"b"), ("source", b"s"), ("back", b"b"),
    ("crates", b"o"), ("files", b"o"), ("objects", b"o"), ("functions", b"o"), ("mark", b"m"), ("next mark", b"n"), ("help", b"?"), ("back", b"b"),
]


def cpu(pid):
    with open(f"/proc/{pid}/schedstat") as file:
        return int(file.read().split()[0]) / 1e9


def answer(fd, pid, begin, limit=60):
    """Reads until the browser waits; the seconds to the last byte, and all bytes."""
    end, text = begin, b""
    while time.time() - begin < limit:
        before = cpu(pid)
        if not select.select([fd], [], [], QUIET if text else SILENT)[0]:
            if cpu(pid) == before and not is_running(pid):
                break
            continue
        try:
            more = os.read(fd, 65536)
        except OSError:
            break
        text += more
        end = time.time()
    return end - begin, text


def is_running(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0] == "R"


def run(program, profile):
    begin = time.time()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(program, [program, "browse", profile])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    wall, text = answer(fd, pid, begin)
    if b"quit" not in text:
        sys.exit("browse.py: no browser: " + repr(text[-300:]))
    results = [("open", wall, cpu(pid))]
    for name, key in KEYS:
        before, begin = cpu(pid), time.time()
        os.write(fd, key)
        wall, text = answer(fd, pid, begin)
        results.append((name, wall, cpu(pid) - before))
    os.write(fd, b"q")
    answer(fd, pid, time.time(), 2)
    os.close(fd)
    os.waitpid(pid, 0)
    return results


def main():
    runs = [run(sys.argv[1], sys.argv[2]) for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 1)]
    print(f"{'':26}{'wall ms':>9}{'processor ms':>14}")
    for steps in zip(*runs):
        print(f"{steps[0][0]:26}{1000 * min(s[1] for s in steps):9.0f}{1000 * min(s[2] for s in steps):14.1f}")


main()
