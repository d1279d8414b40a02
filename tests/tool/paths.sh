# paths.sh - profiles with call paths, and questions to them; for the tests in this folder, after oracle.sh.
# shellcheck shell=sh disable=SC2154,SC2086
paths=$scratch/paths.raw

# follows NAME PROGRAM [ARGUMENTS...]: profiles to $paths. Asserts that the program ends well, that the tool's own walks along the stack
# agree with its counts (it says where not), and that costs of contexts, functions and edges agree.
follows() {
  follows_name=$1; shift
  rm -f "$paths"
  under cprof --cache-sim=no --contexts=yes --cprof-check=${cprof_check-yes} --cprof-names=yes --cprof-out-file="$paths" "$@"
  is "$? $(head -n 5 "$scratch/cprof.stderr")" "0 " "$follows_name: walking the stack gives the same" &&
    is "$(ask sound)" "" "$follows_name: costs agree with each other"
}

# ask QUERY...: see paths.c.
ask() { "$tool_built/paths" "$paths" "$@"; }
own() { ask function "$1" | cut -d' ' -f2; }
inclusive() { ask function "$1" | cut -d' ' -f3; }
