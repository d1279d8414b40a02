# both-engines.sh - runs the programs of another test by copies and by VEX's translations, in four ways to count, for make check-both; for the tests
# in this folder, after oracle.sh.
# shellcheck shell=sh disable=SC2154,SC2086

# Programs whose counts differ between the engines, or from run to run, with the reason. Their output is compared by the tests themselves.
both_left_out() {
  case ${1##*/} in
  faults | protected | touching | repeats) echo "a translation counts nothing of a block that faults, copies do as the processor" ;;
  wide | late-wide | late-left | wide-data | extended) echo "VEX lacks AVX-512, and has 64 bits of x87's 80" ;;
  loads) echo "VEX makes one repetition of rep lods" ;;
  changing) echo "a translation finds a change of its own code later" ;;
  stale-code) echo "threads wait for each other, and a translation counts nothing of a block that faults" ;;
  waiting | waiting-within | interrupted | storm) echo "it waits for signals" ;;
  section-leaps) echo "its threads meet in another order now and then, and then miss I1 elsewhere" ;;
  own-maps) echo "it reads its own mappings" ;;
  *) return 1 ;;
  esac
}

# both_profile ENGINE OPTIONS...: every count, sorted, with output and status, to $scratch/both.ENGINE.
both_profile() {
  both_engine=$1; shift
  rm -f "$scratch/both.raw"
  under cprof --deterministic=yes --engine=${both_engine%-again} --cprof-out-file="$scratch/both.raw" "$@"
  echo "status $?" >"$scratch/both.$both_engine.out"
  cat "$scratch/cprof.stdout" >>"$scratch/both.$both_engine.out"
  [ -s "$scratch/both.raw" ] || return
  { "$tool_built/paths" "$scratch/both.raw" all; grep -a '^[hawx] \|^heap' "$scratch/both.raw"; cat "$scratch/both.$both_engine.out"; } |
    sort >"$scratch/both.$both_engine"
}

# both_equal VEX NEAR: true if these two profiles are the same.
both_equal() { cmp -s "$scratch/both.$1" "$scratch/both.$2"; }

# both_way OPTIONS... PROGRAM [ARGUMENTS...]: what differs goes to $scratch/both.differs, since the run may be one of a subshell. A program whose
# threads wait for each other may differ now and then, by any engine.
both_way() {
  rm -f "$scratch"/both.vex* "$scratch"/both.near*
  both_profile vex "$@"
  both_profile near "$@"
  for both_try in 1 2 3 4 5; do
    if [ ! -s "$scratch/both.vex" ]; then echo "$*: it leaves no profile" >>"$scratch/both.left"; return; fi
    if both_equal vex near || both_equal vex near-again; then echo "$*" >>"$scratch/both.compared"; return; fi
    both_profile vex-again "$@"
    both_profile near-again "$@"
    if ! both_equal vex vex-again; then echo "$*: it varies by itself" >>"$scratch/both.left"; return; fi
  done
  echo "$*: $(diff "$scratch/both.vex" "$scratch/both.near" | grep -ac '^[<>]') of $(wc -l <"$scratch/both.vex") counts" >>"$scratch/both.differs"
}

# both_everywhere OPTIONS... PROGRAM [ARGUMENTS...]: once for each program with its arguments and the options that stay.
both_everywhere() {
  every_left=$# every_program=
  while [ $every_left -gt 0 ]; do
    every_word=$1; shift
    every_left=$((every_left - 1))
    if [ -z "$every_program" ]; then
      case $every_word in
      --contexts=* | --*-sim=* | --I1=* | --D1=* | --LL=* | --engine=* | --cprof-*=* | --deterministic=* | --copies-*) continue ;;
      --line-use=* | --stats=*) continue ;;
      --*) ;;
      *) every_program=$every_word ;;
      esac
    fi
    set -- "$@" "$every_word"
  done
  ! grep -qFx -- "$*" "$scratch/both.seen" 2>/dev/null || return
  echo "$*" >>"$scratch/both.seen"
  if both_why=$(both_left_out "$every_program"); then
    echo "$*: $both_why" >>"$scratch/both.left"
    return
  fi
  both_within=yes every_options=$vg_options
  vg_options=$(printf '%s' "$vg_options" | sed 's/--progress-file=[^ ]*//; s/--engine=[^ ]*//') # a file that the test looks at
  for every_way in yes no; do
    both_way --contexts=$every_way --cache-sim=no "$@" 2>/dev/null
    both_way --contexts=$every_way $default_caches --cache-sim=yes --branch-sim=yes "$@" 2>/dev/null
  done
  both_within='' vg_options=$every_options
}

# The assertion for all of a test's runs.
both_everywhere_done() {
  is "$(cat "$scratch/both.differs" 2>/dev/null)" "" "both engines count the same in $(cat "$scratch/both.compared" 2>/dev/null | wc -l) runs"
  note "not compared: $(cat "$scratch/both.left" 2>/dev/null)"
}
