# views.sh - the rows of the table of views, cli/table/view_kinds.c, and a profile for each: `. "$top/tests/views.sh"` after tap.sh.
# shellcheck shell=sh disable=SC2154
golden=$top/tests/data/golden
# views: a line for each word of --view: the word, the key of the browser, and the member of JSON; "-" where it has none.
views() {
  awk -F'"' '/\[VIEW_[A-Z_]*\] = / { put() ; word = "" }
    /\.name = "--view / { word = substr($2, 8); key = member = "-" }
    /\.key = / { key = $2 }
    /\.member = / { member = $2 }
    END { put() }
    function put() { if (word != "") print word, key, member }' "$top/cli/table/view_kinds.c"
}
# profile_of WORD: the first of the profiles that has such a view.
profile_of() {
  for profile in "$golden/old.cprof" "$golden"/*.cprof; do
    "$build/cargo-cprof" report --view "$1" "$profile" >/dev/null 2>&1 && echo "$profile" && return
  done
}
