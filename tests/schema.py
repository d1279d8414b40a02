# schema.py DOCUMENT SCHEMA: a JSON document against a schema of doc/, by jsonschema. Keys that the schema does not describe are errors
# here, though readers are to ignore them: what is written has to be described.
import json
import pathlib
import sys

import jsonschema


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


folder = pathlib.Path(sys.argv[2]).resolve().parent
base = "file:///doc/"
store = {base + path.name: close(json.loads(path.read_text())) for path in folder.glob("*.schema.json")}
uri = base + pathlib.Path(sys.argv[2]).name
schema = store[uri]
jsonschema.Draft202012Validator.check_schema(schema)
resolver = jsonschema.RefResolver(uri, schema, store=store)
errors = list(jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(json.load(open(sys.argv[1]))))
for error in errors[:5]:
    print("/".join(map(str, error.absolute_path)) + ": " + error.message[:300])
sys.exit(bool(errors))
