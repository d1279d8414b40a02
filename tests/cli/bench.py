"""Looks into a document of `cargo cprof bench` or `test`: bench.py FILE EXPRESSION..., where `ir` maps names to Ir each.
Prints a line for each expression: its value, or why it has none."""
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
rows = {row["name"]: row for row in document["rows"]}
ir = {name: row["counts"]["Ir"] // row["iterations"] for name, row in rows.items()}
exact = all(
    document["measured"].get(event, 0) + document["harness"].get(event, 0) == count
    and document["measured"].get(event, 0) == sum(row["counts"][event] for row in document["rows"])
    for event, count in document["totals"].items()
)


def linear(*values):
    """Equal steps, greater than 0."""
    steps = {b - a for a, b in zip(values, values[1:])}
    return len(steps) == 1 and min(steps) > 0


for expression in sys.argv[2:]:
    try:
        print(eval(expression))  # pylint: disable=eval-used
    except Exception as error:  # pylint: disable=broad-except
        print(repr(error))
