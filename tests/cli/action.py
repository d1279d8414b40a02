"""action.py FILE - checks an action.yml: its keys, and that no input becomes a part of a script's text."""
import os
import re
import sys

import yaml

TOP = {"name", "description", "author", "branding", "inputs", "outputs", "runs"}
STEP = {"name", "id", "if", "shell", "run", "working-directory", "env", "uses", "with", "continue-on-error"}

path = sys.argv[1]
here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(path, encoding="utf-8") as stream:
    action = yaml.safe_load(stream)
wrong = []


def expect(holds, what):
    if not holds:
        wrong.append(what)


expect(set(action) <= TOP and {"name", "description", "runs"} <= set(action), "keys of the whole")
expect(action["runs"].get("using") == "composite", "runs.using")
expect(set(action["runs"]) == {"using", "steps"}, "keys of runs")
for name, value in action["inputs"].items():
    expect(set(value) <= {"description", "default", "required"} and "description" in value, f"input {name}")
    expect(isinstance(value.get("default", ""), str), f"default of {name} is no text")
ids = {step["id"] for step in action["runs"]["steps"] if "id" in step}
for name, value in action["outputs"].items():
    expect(set(value) == {"description", "value"}, f"output {name}")

text = open(path, encoding="utf-8").read()
for name in re.findall(r"\binputs\.([\w-]+)", text):
    expect(name in action["inputs"], f"there is no input {name}")
for name in action["inputs"]:
    expect(re.search(r"\binputs\." + name + r"\b", text), f"input {name} is not used")
for name in re.findall(r"\bsteps\.([\w-]+)", text):
    expect(name in ids, f"there is no step {name}")

for step in action["runs"]["steps"]:
    title = step.get("name", "?")
    expect(set(step) <= STEP, f"keys of '{title}': {set(step) - STEP}")
    expect(("run" in step) != ("uses" in step), f"'{title}' has to have run or uses")
    if "uses" in step:
        expect(re.fullmatch(r"[\w-]+/[\w-]+(/[\w-]+)*@v\d+", step["uses"]), f"uses of '{title}'")
        continue
    expect(step.get("shell") in ("sh", "bash"), f"'{title}' has no shell")
    expect("${{" not in step["run"], f"an expression in the script of '{title}'")
    called = re.findall(r"/action/(\w+)", step["run"])
    expect(called, f"'{title}' calls no script")
    for script in called:
        with open(os.path.join(here, "action", script), encoding="utf-8") as stream:
            needs = set(re.findall(r"\b(?:INPUT|CPROF)_[A-Z_]+", stream.read()))
        expect(needs == set(step.get("env", {})), f"env of '{title}': {needs ^ set(step.get('env', {}))}")

for what in wrong:
    print(what)
sys.exit(bool(wrong))
