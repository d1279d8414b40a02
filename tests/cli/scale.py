"""scale.py DOCUMENT NAME EXPRESSION...: "NAME: yes" or what is wrong, for expressions on a document of cargo cprof scale."""
import json
import sys

d = json.load(open(sys.argv[1]))
functions = {f["name"]: f for f in d["functions"]}
own = {f["name"]: f for f in d["own"]}
checked = {f["name"]: f for f in d.get("check", {}).get("functions", [])}


def fit(name, count="Ir"):
    return functions[name]["counts"][count]["fit"]


def values(name, count="Ir"):
    return functions[name]["counts"][count]["values"]


scope = globals()
for name, expression in zip(sys.argv[2::2], sys.argv[3::2]):
    try:
        print("ok" if eval(expression, scope) else f"not true: {expression}", name, sep="\t")
    except Exception as e:
        print(f"{type(e).__name__}: {e} in {expression}", name, sep="\t")
