"""foreign_text.py PROGRAM: puts what a terminal would act upon into every string that the formats have, runs every command and export
over that, to pipes and to terminals, and prints TAP: nothing of it may come out but as its format allows. Unless $CPROF_LONG is set, only the format
that holds most has all of that; the others have half of the views and formats each, to pipes."""
import csv
import fcntl
import gzip
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import xml.etree.ElementTree

PROGRAM = sys.argv[1]
LONG = bool(os.environ.get("CPROF_LONG"))
KINDS = ("callgrind", "cachegrind", "named", "raw")
# A terminal's title, the end of that, the direction of writing, no UTF-8, and what begins a sequence in 8 bits.
EVIL = b"\x1b]0;x\x07\xe2\x80\xae\xff\xc2\x9b"
MARKUP = b"<b>&\"'"  # what is markup elsewhere must not be here
NOT_SHOWN = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
count = failed = 0


def ok(right, name, why=""):
    global count, failed
    count += 1
    failed += not right
    print("%sok %d - %s" % ("" if right else "not ", count, name))
    if not right and why:
        print("\n".join("# " + line for line in why.splitlines()[:12]))


def evil(name):
    return name.encode() + EVIL + MARKUP


# --- The profiles: every string of every format.
def callgrind(cost):
    header = [b"# callgrind format", b"version: 1", b"creator: callgrind-" + EVIL, b"pid: 1", b"cmd: " + evil("cmd"), b"part: 1",
              b"desc: I1 cache: " + evil("i1"), b"desc: D1 cache: 32768 B, 64 B, 8-way associative" + EVIL,
              b"desc: Timerange: " + evil("range"), b"desc: Trigger: " + evil("trigger"), b"desc: " + evil("desc"),
              b"event: " + evil("I") + b" = " + evil("D") + b" : " + evil("long"),
              b"positions: instr line " + EVIL, b"events: " + evil("I") + b" " + evil("D"), EVIL + b": unknown", b""]
    body = [b"ob=(1) /o/" + evil("object"), b"fl=(1) /s/" + evil("file") + b".c", b"fn=(1) " + evil("main"), b"0x10 1 %d 1" % cost,
            b"fi=(2) /s/" + evil("inlined") + b".h", b"0x14 2 5 1", b"fe=(1)",
            b"cob=(2) /o/" + evil("library"), b"cfi=(3) /s/" + evil("other"), b"cfn=(2) " + evil("callee"), b"calls=3 0x20 7",
            b"0x18 3 40 4", b"", b"ob=(2)", b"fl=(3)", b"fn=(2)", b"0x20 7 40 4", b"", b"totals: 1 2", b""]
    return b"\n".join(header + body)


def cachegrind(cost):
    return b"\n".join([b"desc: I1 cache: " + evil("i1"), b"desc: " + evil("desc"), b"cmd: " + evil("cmd"),
                       b"events: " + evil("I") + b" " + evil("D"), b"fl=/s/" + evil("file"), b"fn=" + evil("main"),
                       b"1 %d 1" % cost, b"summary: %d 1" % cost, b""])


def quoted(text):
    return b"".join(b"\\x%02x" % c if c <= 0x20 or c in (0x5c, 0x7f) else bytes([c]) for c in text)


def named(cost):
    event = [evil("I"), evil("D")]
    lines = [b"cprof-named 1", b"format: cprof", b"creator: " + quoted(evil("creator")), b"program: /p/" + quoted(evil("program")),
             b"command: " + quoted(evil("cmd")), b"arg: " + quoted(evil("arg")), b"desc: " + quoted(evil("desc")),
             b"cache: " + quoted(evil("I1")) + b" 32768 8 64 " + quoted(evil("text")), b"cache: LL 0 0 0 " + quoted(evil("ll")),
             b"part: 1 2 3 " + quoted(evil("trigger")) + b" " + quoted(evil("range")), b"events: " + b" ".join(event),
             b"event: " + quoted(event[0]) + b" " + quoted(evil("long")) + b" " + quoted(evil("formula")),
             b"o " + quoted(evil("id")) + b" /p/" + quoted(evil("program")), b"o - /o/" + quoted(evil("library")),
             b"l /s/" + quoted(evil("file")) + b".rs", b"l /s/" + quoted(evil("inlined")),
             b"f - - 0 0 0 - - - " + quoted(evil("[thread]")),
             b"f 0 0 3 10 2 - " + quoted(evil("_ZN")) + b" " + quoted(evil("args")) + b" " + quoted(evil("main")),
             b"f 1 - 0 20 0 - - - " + quoted(evil("callee")), b"f 0 1 9 0 0 i - - " + quoted(evil("inlined")),
             b"n - 0 - 0 0 0 0", b"n 0 1 - 0 0 1 0", b"c 1 0 4 10 %d 1" % cost, b"n 1 3 0 5 0 0 1", b"c 3 1 9 14 5 1",
             b"n 2 2 1 9 18 3 0", b"c 2 - 0 20 40 4", b"i 1 %d 6" % (cost + 45), b"i 2 40 4"]
    return b"\n".join(lines + [b"end %d" % len(lines), b""])


def raw(cost):
    lines = [b"cprof-raw 2", b"creator: " + quoted(evil("creator")), b"pid: 1", b"program: /p/" + quoted(evil("program")),
             b"arg: " + quoted(evil("arg")), b"I1: 32768 8 64", b"events: Ir Dr", b"counted: Dr", b"random: no", b"part: 2",
             b"trigger: " + quoted(evil("trigger")), b"toggle: 0 " + quoted(evil("toggle")), b"exit: code 0",
             b"o 0 - /p/" + quoted(evil("program")), b"o 1 - " + quoted(b"[" + evil("anonymous") + b"]"), b"s 0 0 10 i +4 i",
             b"s 1 1 20 i +1 ir", b"t 0 - " + quoted(evil("[thread 1]")), b"n 1 0 0 10 - 0 1", b"k 0 %d" % cost, b"n 2 1 1 20 0 14 3",
             b"k 1 20", b"m 1 21 4", b"i 0 10 %d 4" % (2 * cost + 40), b"i 1 20 40 4", b"e 0 10 1 20 0 14 3 40 4"]
    return b"\n".join(lines + [b"end %d" % len(lines), b""])


# --- Running.
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "XDG_STATE_HOME": os.getcwd(), "TERM": "xterm", "PAGER": "cat", "NO_COLOR": "1",
               "COLUMNS": "200"}
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        ENVIRONMENT[name] = os.environ[name]


def on_pipe(locale, arguments):
    done = subprocess.run([PROGRAM] + arguments, stdin=subprocess.DEVNULL, capture_output=True, env=dict(ENVIRONMENT, LC_ALL=locale))
    return done.returncode, done.stdout, done.stderr


def on_terminal(locale, arguments, keys=()):
    """All that comes to the terminal, messages included; each key is sent when the screen has been quiet for a while."""
    pid, fd = pty.fork()
    if not pid:
        os.execve(PROGRAM, [PROGRAM] + arguments, dict(ENVIRONMENT, LC_ALL=locale))
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    data, keys, end = b"", list(keys), time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([fd], [], [], 0.05 if keys else 10)[0]:
            if not keys:
                break
            os.write(fd, keys.pop(0))
            continue
        try:
            piece = os.read(fd, 65536)
        except OSError:
            piece = b""
        if not piece:
            break
        data += piece
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), data


# --- Judging: None, or what is wrong.
def shown(data, locale):
    try:
        text = data.decode("ascii" if locale == "C" else "utf-8")
    except UnicodeDecodeError as error:
        return "%s: %r" % (error, data[max(error.start - 60, 0):error.end + 20])
    wrong = re.search(NOT_SHOWN, text.replace("\r\n", "\n"))
    return wrong and "not to be shown: %r" % text[max(wrong.start() - 60, 0):wrong.end() + 20]


def is_json(data):
    try:
        json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, ValueError) as error:
        return str(error)
    return "a control character" if re.search(b"[\x00-\x09\x0b-\x1f]", data) else None


def is_csv(data):
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        return str(error)
    return "rows of several lengths" if len({len(row) for row in rows}) != 1 else None


def is_pprof(data):
    """Every string of the table, field 6, is UTF-8."""
    data, at = gzip.decompress(data), 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 0x7f) << shift
            shift += 7
            at += 1
            if data[at - 1] < 0x80:
                return value
    strings = []
    while at < len(data):
        key = number()
        if key & 7 == 0:
            number()
            continue
        size = number()
        if key >> 3 == 6:
            strings.append(data[at:at + size])
        at += size
    try:
        texts = [text.decode("utf-8") for text in strings]
    except UnicodeDecodeError as error:
        return str(error)
    return None if any("main\x1b]0;x" in text or "0x10" in text or "[anonymous" in text for text in texts) else "names are missing"


def is_xml(data):
    wrong = shown(data, "UTF-8")
    if wrong:
        return wrong
    try:
        root = xml.etree.ElementTree.fromstring(data)
    except xml.etree.ElementTree.ParseError as error:
        return str(error)
    return "an element of a name's" if any(element.tag.endswith("}b") for element in root.iter()) else None


def is_page(data):
    return shown(data, "UTF-8") or ("markup of a name's" if b"<b>" in data else None)


def is_markdown(data):
    """What is between backquotes is text."""
    return shown(data, "UTF-8") or ("markup of a name's" if b"<b>" in re.sub(b"`[^`\n]*`", b"", data) else None)


def is_shown(data):
    return shown(data, "UTF-8")


EXPORTS = {"json": is_json, "csv": is_csv, "md": is_markdown, "callgrind": is_shown, "cachegrind": is_shown, "folded": is_shown,
           "speedscope": is_json, "pprof": is_pprof, "dot": is_shown, "firefox": is_json,
           "chrome-trace": is_json, "pprof-text": is_shown}


def is_whole(kind):
    return LONG or kind == "named"


def some(kind, items):
    """All, or every second: the even ones for callgrind, the odd ones for others."""
    return items if is_whole(kind) else items[KINDS.index(kind) % 2::2]


def check_views(kind, profile, other):
    """Every view, as what it is to the terminal and to a pipe, in two locales."""
    views = [["report", "-n", "0", profile], ["report", "--columns", "object,location,crate", profile], ["report", "--percent", profile],
             ["report", "--names", "full", profile], ["report", "--blame", profile], ["report", "--strict", profile],
             ["report", "--sort", "nothing", profile], ["report", "--columns", "nothing", profile], ["report", "--apart", profile, other],
             ["tree", "--threshold", "0", "--profile-file", profile], ["tree", "main", "--profile-file", profile],
             ["callers", "callee", "--profile-file", profile], ["callees", "main", "--profile-file", profile],
             ["callees", "e", "--profile-file", profile], ["annotate", "main", "--profile-file", profile],
             ["annotate", "--asm", "main", "--profile-file", profile], ["annotate", "file", "--profile-file", profile],
             ["annotate", "--profile-file", profile], ["diff", profile, other], ["diff", "--lines", "--inclusive", profile, other],
             ["diff", "--fail-if", "nothing>1", profile, other], ["diff", "--fail-if", "*: i*>1; *>1", profile, other], ["export", profile],
             ["report", os.fsdecode(b"--no" + EVIL)], ["report", os.fsdecode(b"missing" + EVIL)], ["report", profile, other], ["baselines"]]
    views += [["report", "--by", by, profile] for by in ("line", "file", "crate", "object")]
    # Of each locale, whether to a pipe and to a terminal.
    if LONG:
        ways = {"C": (True, True), "C.UTF-8": (True, True)}
    elif kind == "named":
        ways = {"C": (True, False), "C.UTF-8": (False, True)}
    else:
        ways = {"C" if kind == "callgrind" else "C.UTF-8": (True, False)}
    for locale, (pipe, terminal) in ways.items():
        wrong = []
        for view in some(kind, views):
            if pipe:
                status, out, err = on_pipe(locale, view)
                wrong += [(view, what) for what in (shown(out, locale), shown(err, locale)) if what]
                wrong += [(view, "ended by %d" % status)] if status < 0 or status > 3 else []
            if terminal:
                status, out = on_terminal(locale, view)
                what = shown(out, locale)
                wrong += [(view, "on a terminal: " + what)] if what else []
                wrong += [(view, "on a terminal, ended by %d" % status)] if status < 0 or status > 3 else []
        ok(not wrong, "%s: views in %s" % (kind, locale), "\n".join("%s: %s" % (" ".join(view), what) for view, what in wrong))


def check_formats(kind, profile, other):
    documents = {"page": ["report", "--html", profile], "page of a comparison": ["diff", "--html", profile, other],
                 "Markdown": ["report", "--format", "md", profile], "Markdown of a comparison": ["diff", "--format", "md", profile, other],
                 "flame graph": ["flamegraph", profile], "flame graph of a comparison": ["flamegraph", "--diff", other, profile],
                 "JSON": ["report", "--json", profile], "JSON of paths": ["report", "--json=tree", profile],
                 "JSON of a comparison": ["diff", "--json", profile, other], "JSON of lines": ["report", "--json", "--by", "line", profile],
                 "JSON of callers": ["callers", "--json", "callee", "--profile-file", profile],
                 "JSON of source": ["annotate", "--json", "main", "--profile-file", profile],
                 "JSON of a tree": ["tree", "--json", "--profile-file", profile]}
    for what, arguments in some(kind, list(documents.items())):
        judge = is_json if "JSON" in what else is_xml if "flame" in what else is_markdown if "Markdown" in what else is_page
        check_document("%s: %s" % (kind, what), arguments, judge, is_whole(kind))
    for name, judge in some(kind, list(EXPORTS.items())):
        check_document("%s: export as %s" % (kind, name), ["export", "--format", name, profile], judge, is_whole(kind))


def check_document(name, arguments, judge, terminal):
    status, out, err = on_pipe("C.UTF-8", arguments)
    if status == 1 and not out:  # what the profile does not have
        ok(not shown(err, "C.UTF-8"), name + " is refused", shown(err, "C.UTF-8"))
        return
    wrong = judge(out) or shown(err, "C.UTF-8") or ("status %d: %r" % (status, err) if status else None)
    # What is data to a pipe is shown to a terminal.
    if not wrong and terminal and judge is not is_pprof:
        wrong = shown(on_terminal("C.UTF-8", arguments)[1], "C.UTF-8")
    ok(not wrong, name, wrong)


def check_browser(kind, files):
    keys = [key.encode() for key in "l c t T s a o d l \r E e % p I < > r i m n y ? q ? b f h + - / main".split()]
    wrong = None
    for locale in "C", "C.UTF-8":
        status, data = on_terminal(locale, ["browse"] + files, [b"l"] + keys + [b"\r", b"t", b"o", b"o", b"o", b"\r", b"s", b"q", b"q", b"q"])
        found = re.search(b"\x1b\\]0;|\x07\xe2|\xe2\x80\xae|\xff|\xc2\x9b|\x07\xff", data)
        wrong = wrong or (found and "in %s: %r" % (locale, data[max(found.start() - 80, 0):found.end() + 20]))
        wrong = wrong or (None if status == 0 and len(data) > 2000 else "status %d, %d bytes" % (status, len(data)))
        wrong = wrong or (None if re.search(b"main|program|anonymous", data) else "no name was seen")
    ok(not wrong, "%s: the browser" % kind, wrong)


def check_exports():
    """Each format that there is stands above; dhat's needs blocks, which none of these profiles has."""
    names = re.search(b"it takes one of (.*)", on_pipe("C", ["export", "--format", "nothing"])[2])[1].decode().split(", ")
    ok(sorted(names) == sorted(list(EXPORTS) + ["dhat"]), "every format of exports is looked at", " ".join(names))


def main():
    check_exports()
    folder = b"folder" + EVIL
    os.mkdir(folder)
    for kind, make in (("callgrind", callgrind), ("cachegrind", cachegrind), ("named", named), ("raw", raw)):
        files = [os.fsdecode(folder + b"/" + name + kind.encode()) for name in (b"old", b"new" + EVIL)]
        for name, cost in zip(files, (10, 1000)):
            with open(name, "wb") as out:
                out.write(make(cost))
        status, out, err = on_pipe("C.UTF-8", ["report"] + files)
        ok(status == 0 and out, "%s: the profile is read" % kind, repr(err))
        check_views(kind, *files)
        check_formats(kind, *files)
        if kind == "named":
            os.makedirs("cprof/baselines", exist_ok=True)
            with open(b"cprof/baselines/" + EVIL + b".cprof", "wb") as out:
                out.write(make(10))
            check_browser(kind, files[:1])
        if is_whole(kind):
            check_browser(kind + ", two", files)
        merged = on_pipe("C.UTF-8", ["merge", "-o", "merged", files[0]])
        again = on_pipe("C.UTF-8", ["merge", "-o", "again", "merged"])
        same = open("merged", "rb").read() == open("again", "rb").read()
        wrong = shown(merged[2] + again[2], "C.UTF-8")
        ok(same and not wrong and not again[0], "%s: what merge keeps is what there was" % kind, wrong or repr(again))
    broken = [b"version: 9" + EVIL, b"events: Ir\nfn=f\n1 " + EVIL, b"events: Ir\n" + EVIL * 9, EVIL, b"cprof-raw 2\n" + EVIL + b"\nend 1\n",
              b"events: Ir\ncfn=f\ncalls=" + EVIL, b"cprof-named 1\nevents: Ir\nexit: " + EVIL, b"events: %s %s\n" % (EVIL, EVIL)]
    wrong = []
    for text in broken:
        with open("broken", "wb") as out:
            out.write(text)
        for locale in "C", "C.UTF-8":
            err = on_pipe(locale, ["report", "broken"])[2]
            wrong += [what for what in (shown(err, locale), None if err else "nothing is said") if what]
    ok(not wrong, "what is said of damaged files", "\n".join(wrong))
    print("1..%d" % count)
    sys.exit(failed > 0)


main()
