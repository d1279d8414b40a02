# schema.sh - JSON against the schemas of doc/: `. "$top/tests/schema.sh"` after tap.sh. Documents are looked at at the end of the test, all by one
# process.
# shellcheck shell=sh disable=SC2154
schema_n=0
# valid NAME DOCUMENT SCHEMA: whether the file is, now, as doc/SCHEMA.schema.json says; skipped without jsonschema for python3.
valid() { schema_later valid "$@"; }
# invalid NAME DOCUMENT SCHEMA: the contrary.
invalid() { schema_later invalid "$@"; }
schema_later() {
  schema_n=$((schema_n + 1))
  cp -- "$3" "$scratch/.schema.$schema_n"
  printf '%s\t%s\t%s\t%s\n' "$1" "$scratch/.schema.$schema_n" "$top/doc/$4.schema.json" "$2" >>"$scratch/.schema"
}
# schema_done: the assertions.
schema_done() {
  [ $schema_n -gt 0 ] || return 0
  if command -v python3 >/dev/null; then
    python3 -W ignore "$top/tests/schema.py" "$scratch/.schema" >"$scratch/.schema.said" 2>&1
  else
    sed 's/.*\t/skip - /' "$scratch/.schema" >"$scratch/.schema.said"
  fi
  schema_said=0
  while IFS= read -r schema_line; do
    case $schema_line in 'ok - '* | 'not ok - '* | 'skip - '*) schema_said=$((schema_said + 1)) ;; esac
    case $schema_line in
    'ok - '*) ok 0 "${schema_line#ok - }" ;;
    'not ok - '*) ok 1 "${schema_line#not ok - }" ;;
    'skip - '*) skip "${schema_line#skip - }" 'no jsonschema for python3' ;;
    *) echo "# $schema_line" ;;
    esac
  done <"$scratch/.schema.said"
  [ $schema_said -eq $schema_n ] || ok 1 "$schema_n documents against their schemas"
}
tap_first="${tap_first:+$tap_first; }schema_done"
