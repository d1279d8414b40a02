"""Which of some functions each view takes for own code: whose.py CPROF PROFILE NAME...

A line for each view: its name, and the functions' that it shows as own, in the order of the arguments. "derived" are those that JSON
calls so; "tree" has the functions that paths begin at.
"""
import html
import json
import os
import re
import subprocess
import sys

cprof, profile, *names = sys.argv[1:]
environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
for name in ("COLUMNS", "COLORTERM", "NO_COLOR"):
    environment.pop(name, None)


def output(*arguments):
    """What a command writes; nothing where it fails."""
    done = subprocess.run([cprof, *arguments], capture_output=True, text=True, env=environment)
    return done.stdout if done.returncode == 0 else ""


def column(text, begin, end):
    """The cells below the head "Function" of the table between two lines."""
    cells, at = [], None
    for line in text.split("\n"):
        if at is None and re.search(begin, line):
            at = line.index("Function")
        elif at is not None and re.search(end, line):
            break
        elif at is not None:
            cells.append(re.split("  +", line[at:])[0])
    return cells


def say(view, found):
    found = list(found)
    print(view + ":", *(name for name in names if any(name in text for text in found)))


def source(functions, owner):
    return [f["name"] for f in functions if f["source"] == owner]


def beginnings(tree):
    """The functions that the paths of a tree begin at; none where it has whole threads."""
    at = max(line.find("Call path") for line in tree)
    if tree[3][at:].startswith("[thread"):
        return []
    return [line[at:].lstrip("├└─ ").split(" ")[0] for line in tree[3:] if line[at:at + 1] not in ("", " ", "│", "›")]


def main():
    document = json.loads(output("report", profile, "--json", "--names", "full"))
    blame = json.loads(output("report", profile, "--json", "--blame", "--names", "full") or '{"blame": []}')["blame"]
    diff = json.loads(output("diff", profile, profile, "--json", "--names", "full"))
    functions = output("report", profile, "--view", "functions", "-n", "0", "--names", "full", "--color", "always")
    page = output("report", profile, "--html=/dev/stdout", "--names", "full")
    flames = output("flamegraph", profile, "--threshold", "0", "--names", "full")
    tree = output("tree", "--profile-file", profile, "--threshold", "0", "--names", "full").split("\n")
    say("JSON", source(document["functions"], "own"))
    say("derived", source(document["functions"], "derived"))
    say("JSON's own", [f["name"] for f in (document.get("own") or {"functions": []})["functions"]])
    say("JSON of --blame", [line["function"] for line in blame if line["function"]])
    say("diff", [f["label"] for f in (diff.get("own") or {"functions": []})["functions"]])
    say("own code", column(output("report", profile, "--view", "own", "--names", "full"), "^ +%.*Costliest line", "rows add up"))
    say("blame", column(output("report", profile, "--blame", "-n", "0", "--names", "full"), "Foreign functions", "^[0-9]+ lines?$"))
    say("colours of the table", re.findall("\x1b\\[1;33m(.*?)\x1b", functions))
    say("colours of the page", map(html.unescape, re.findall('<tr data-k="o"[^>]*>.*?<td class="name">(.*?)</td>', page)))
    say("flame graph", map(html.unescape, re.findall('<title>(.*?)\n[^<]*</title><rect class="o', flames)))
    say("tree", beginnings(tree))


main()
