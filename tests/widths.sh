# widths.sh - what is cut in which width, over all commands that write a table: `. "$srcdir/tests/widths.sh"` after tap.sh.
# shellcheck shell=sh disable=SC2154

# widths_views PROFILE FUNCTION [OLD]: the commands, one a line; with OLD, comparisons too. FUNCTION is one of the profile.
widths_views() {
  cat <<END
report $1
report --view own $1
report --view functions -n 0 $1
report --view functions -n 60 --columns Ir,Function,Location,Crate,Object $1
report --by crate $1
report --by file -n 60 $1
report --by line -n 60 $1
report --by object $1
report --blame -n 60 $1
report --inclusive -n 60 $1
report --names full -n 60 $1
report --format md -n 60 $1
tree --profile-file $1
tree --full-paths --threshold 0.1 --profile-file $1
tree --profile-file $1 $2
callers --profile-file $1 $2
callees --profile-file $1 -n 0 $2
END
  [ -z "${3-}" ] || cat <<END
diff $3 $1
diff --view both -n 60 $3 $1
diff --view own -n 0 --lines $3 $1
diff --view functions -n 60 --lines $3 $1
diff --view functions --columns Ir,%,Function,Location,Crate,Object $3 $1
diff --inclusive $3 $1
diff --why --view functions -n 60 $3 $1
diff --format md $3 $1
END
}
# widths_annotations PROFILE FUNCTION: the same of source, whose code is cut on a terminal.
widths_annotations() {
  cat <<END
annotate --profile-file $1
annotate $2 $1
annotate --inlined --threshold 0 $2 $1
annotate --self --columns Ir,% $2 $1
annotate --asm $2 $1
END
}
# widths_check NAME COMMANDS NAMES [WIDTH]: no output of COMMANDS, one a line, is cut in a pipe; at 80 columns, or WIDTH, functions of NAMES
# keep the last part of their paths.
widths_check() {
  rm -rf "$scratch/widths" && mkdir "$scratch/widths"
  widths_n=0 widths_failed=
  while IFS= read -r widths_line; do
    widths_n=$((widths_n + 1))
    widths_at=$scratch/widths/$widths_n
    echo "$widths_line" >"$widths_at.command"
    # shellcheck disable=SC2086 # of several words
    (unset COLUMNS; LC_ALL=C.UTF-8 "$cprof" $widths_line) >"$widths_at.pipe" 2>"$widths_at.errors" </dev/null || widths_failed="$widths_failed
# $widths_line: $(cat "$widths_at.errors")"
    # shellcheck disable=SC2086
    LC_ALL=C.UTF-8 COLUMNS=${4-80} "$cprof" $widths_line >"$widths_at.cut" 2>"$widths_at.errors" </dev/null
  done <"$2"
  [ -z "$widths_failed" ] && python3 "$top/tests/widths.py" "$scratch/widths" "$3" >"$scratch/widths/found" 2>&1
  ok $? "$1: $widths_n commands" || note "$widths_failed$(cat "$scratch/widths/found")"
  is "$(grep -v '^own: ' "$scratch/widths/found")" '' "$1: nothing is cut in a pipe"
  is "$(grep '^own: ' "$scratch/widths/found")" '' "$1: at ${4-80} columns own names are whole"
}
# widths_names PROFILE: the full names of own functions.
widths_names() {
  "$cprof" report --json -n 0 --names full "$1" 2>/dev/null | python3 -c 'import json, sys
for f in json.load(sys.stdin)["functions"]:
    if f["source"] == "own":
        print(f["name"])'
}
