# schema.sh - JSON against the schemas of doc/: `. "$top/tests/schema.sh"` after tap.sh.
schema_python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -W ignore -c 'import jsonschema; jsonschema.RefResolver' 2>/dev/null; then schema_python=$candidate && break; fi
done
# valid NAME DOCUMENT SCHEMA: whether the file is as doc/SCHEMA.schema.json says; skipped without jsonschema for python3.
valid() {
  [ -n "$schema_python" ] || { skip "$1" 'no jsonschema for python3'; return; }
  check "$1" "$schema_python" -W ignore "$top/tests/schema.py" "$2" "$top/doc/$3.schema.json"
}
# invalid NAME DOCUMENT SCHEMA: the contrary.
invalid() {
  [ -n "$schema_python" ] || { skip "$1" 'no jsonschema for python3'; return; }
  "$schema_python" -W ignore "$top/tests/schema.py" "$2" "$top/doc/$3.schema.json" >"$scratch/.invalid" 2>&1
  [ $? -eq 1 ] && ! grep -q Traceback "$scratch/.invalid"
  ok $? "$1"
}
