"""JSON documents against the schemas of doc/, by jsonschema: schema.py LIST.

Each line of LIST is "valid" or "invalid", a document, its schema and a name, with tabs between them. Prints "ok - NAME", "not ok - NAME" with what
is wrong in lines behind it, or "skip - NAME" for all where there is no jsonschema. Keys that the schema does not describe are errors here, though
readers are to ignore them: what is written has to be described.
"""
import json
import pathlib
import sys

try:
    import jsonschema
    Resolver = jsonschema.RefResolver
except (ImportError, AttributeError):
    jsonschema = None

BASE = "file:///doc/"
validators = {}


def close(schema):
    """Lets objects have no keys but those that are described."""
    if isinstance(schema, list):
        return [close(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: close(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        closed.setdefault("additionalProperties", False)
    return closed


def validator(path):
    """That of a schema, which may refer to others of its folder."""
    if path not in validators:
        store = {BASE + other.name: close(json.loads(other.read_text())) for other in path.parent.glob("*.schema.json")}
        uri = BASE + path.name
        jsonschema.Draft202012Validator.check_schema(store[uri])
        validators[path] = jsonschema.Draft202012Validator(store[uri], resolver=Resolver(uri, store[uri], store=store))
    return validators[path]


for line in open(sys.argv[1], encoding="utf-8", errors="surrogateescape"):
    want, document, schema, name = line.rstrip("\n").split("\t")
    if not jsonschema:
        print("skip -", name)
        continue
    try:
        errors = ["/".join(map(str, error.absolute_path)) + ": " + error.message[:300]
                  for error in validator(pathlib.Path(schema).resolve()).iter_errors(json.load(open(document)))]
        good = (want == "valid") == (not errors)
    except Exception as error:
        errors, good = [repr(error)], False
    print("ok -" if good else "not ok -", name)
    for error in [] if good else errors[:5]:
        print("#", error.replace("\n", " "))
