"""One table in three forms: forms.py CSV JSON MARKDOWN. Prints a line for each cell in which they differ, and for each number that is none."""
import csv
import json
import sys

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    heads, *lines = list(csv.reader(file))
document = json.load(open(sys.argv[2], encoding="utf-8"))
markdown = open(sys.argv[3], encoding="utf-8").read()
columns, rows = document["columns"], document["rows"]


def as_csv(value):
    if value is None:
        return ""
    return "%.3f" % value if isinstance(value, float) else str(value)


if heads != [c["name"] for c in columns] or len(set(heads)) != len(heads):
    print("heads:", heads, [c["name"] for c in columns])
if len(lines) != len(rows) or not rows:
    print(len(lines), "rows of CSV,", len(rows), "of JSON")
for line, row in zip(lines, rows):
    for text, column in zip(line, columns):
        value = row[column["name"]]
        if text != as_csv(value):
            print(column["name"] + ":", repr(text), "in CSV,", repr(value), "in JSON")
        if column["kind"] in ("count", "share", "ratio") and isinstance(value, str):
            print(column["name"] + ":", repr(value), "is no number")
for column in columns:
    if column["kind"] == "count" and rows and f"{rows[0][column['name']]:,}" not in markdown:
        print(column["name"] + ":", rows[0][column["name"]], "is not in Markdown")
