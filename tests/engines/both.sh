# both.sh - runs programs by both engines and compares their profiles; for the tests in this folder, after tap.sh and oracle.sh.
# shellcheck shell=sh disable=SC2154,SC2086

# What has passed by this very tool is left out by a check-engines that goes on.
both_passed=$build/tests/engines/passed/$(cksum <"$build/vgtool/cprof-$vg_platform" | tr ' ' -)
# unless_passed NAME COMMAND...: the command, which makes assertions, unless all of them have passed under this name.
unless_passed() {
  passed_name=$1 passed_failed=$tap_failed; shift
  if [ -n "${ENGINES_GO_ON-}" ] && [ -e "$both_passed/$passed_name" ]; then
    skip "$passed_name" "it has passed"
    return
  fi
  "$@"
  [ -z "${ENGINES_GO_ON-}" ] || [ "$tap_failed" -gt "$passed_failed" ] || { mkdir -p "$both_passed" && : >"$both_passed/$passed_name"; }
}

# by_engine NAME OPTIONS PROGRAM [ARGUMENTS...]: output and exit status to $scratch/NAME.out, what the profile counts to $scratch/NAME.
by_engine() {
  engine_name=$1 engine_options=$2; shift 2
  under cprof --cache-sim=no --contexts=yes --deterministic=yes --cprof-names=yes $engine_options --cprof-out-file="$scratch/raw" "$@"
  echo $? >"$scratch/$engine_name.out"
  cat "$scratch/cprof.stdout" >>"$scratch/$engine_name.out"
  cp "$scratch/cprof.stderr" "$scratch/$engine_name.err"
  "$tool_built/paths" "$scratch/raw" $counts | sort >"$scratch/$engine_name"
}

# differs FILE FILE WHAT: says WHAT if the files do.
differs() { cmp -s "$scratch/$1" "$scratch/$2" || printf ' %s' "$3"; }

# same_by_both NAME PROGRAM [ARGUMENTS...]: one assertion that the program does the same by both engines, with the same profile, which a walk of the
# stack at each basic block agrees with. $counts: the query of paths that is compared. A program that differs between two runs of one engine is
# skipped.
same_by_both() {
  both_name=$1; shift
  by_engine vex --engine=vex "$@"
  by_engine near --engine=near "$@"
  by_engine walked "--engine=near --cprof-check=yes" "$@"
  both_wrong=$(differs vex.out near.out output; differs near.out walked.out output-when-walked; differs vex near profile
    differs near walked profile-when-walked; [ -s "$scratch/near" ] || printf ' nothing-counted'
    ! grep -q 'check: function' "$scratch/walked.err" || printf ' walk')
  if [ -n "$both_wrong" ]; then
    note "$(diff "$scratch/vex.out" "$scratch/near.out" | head -n 4; diff "$scratch/vex" "$scratch/near" | head -n 4; head -n 4 "$scratch/walked.err")"
    by_engine again --engine=vex "$@"
    if [ -n "$(differs vex.out again.out output; differs vex again profile)" ]; then
      skip "$both_name" "it does not repeat itself"
      return
    fi
  fi
  is "$both_wrong" "" "$both_name: the same by both engines" || true
}
