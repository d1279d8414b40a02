# paths.sh - profiles with call paths, and questions to them; for the tests in this folder, after oracle.sh.
# shellcheck shell=sh disable=SC2154,SC2086
paths=$scratch/paths.raw

cprof_check=yes # whether the tool is to walk along the stack in each block: that takes time in proportion to its depth

# follows NAME PROGRAM [ARGUMENTS...]: profiles to $paths. Asserts that the program ends well without a word of the tool, which says where
# its own walks along the stack differ from its counts, and that costs of contexts, functions and edges agree. True if there is a profile to ask.
follows() {
  follows_name=$1; shift
  rm -f "$paths"
  under cprof --cache-sim=no --contexts=yes --cprof-check=$cprof_check --cprof-names=yes --cprof-out-file="$paths" "$@"
  follows_status=$?
  [ "$cprof_check" = yes ] && follows_name="$follows_name, walking the stack"
  is "$follows_status $(head -n 5 "$scratch/cprof.stderr")" "0 " "$follows_name" || return
  is "$(ask sound)" "" "$follows_name: costs agree with each other" || true
}

# ask QUERY...: see paths.c.
ask() { "$tool_built/paths" "$paths" "$@"; }
own() { set -- $(ask function "$1"); echo "$2"; }
inclusive() { set -- $(ask function "$1"); echo "$3"; }
