# translations.sh - runs a program without kept translations, with an empty folder for them, and with what that left there; for the tests
# in this folder, after oracle.sh.
# shellcheck shell=sh disable=SC2154,SC2086
kept=$scratch/kept.folder

# cprof_alone FILE OPTIONS... PROGRAM [ARGUMENTS...]: the profile, without what differs between any two runs, to FILE.
cprof_alone() {
  alone_file=$1; shift
  under cprof --deterministic=yes --stats=yes --cprof-out-file="$scratch/kept.raw" "$@"
  alone_status=$?
  grep -av '^pid: ' "$scratch/kept.raw" >"$alone_file"
  : >"$scratch/kept.raw"
  return $alone_status
}

# kept_count WORD: how many translations the last run "looked for", "used again" or "kept", or how many were "odd" or "different".
kept_count() {
  sed -n -e "s/.*translations: .*[ ,]\([0-9][0-9]*\) $1.*/\1/; t found" -e "s/.*translations: \([0-9][0-9]*\) $1.*/\1/; t found" \
    -e d -e ':found' -e 'p; q' "$scratch/cprof.stderr"
}

# runs_with_kept STATUS OPTIONS... PROGRAM [ARGUMENTS...]: what is wrong, to $kept_wrong, with three runs that keep translations, beside
# one that ended so and left $scratch/kept.none.
runs_with_kept() {
  kept_status=$1; shift
  rm -rf "$kept"; mkdir -m 700 "$kept"
  kept_wrong=
  cp "$scratch/cprof.stdout" "$scratch/kept.none.stdout"
  for kept_run in first second checked; do
    kept_check=no; [ $kept_run = checked ] && kept_check=yes
    cprof_alone "$scratch/kept.with" --translations="$kept" --translations-check=$kept_check "$@"
    [ $? -eq "$kept_status" ] || kept_wrong="$kept_wrong; the $kept_run run ends otherwise"
    cmp -s "$scratch/kept.none" "$scratch/kept.with" || kept_wrong="$kept_wrong; the $kept_run run's profile differs"
    cmp -s "$scratch/kept.none.stdout" "$scratch/cprof.stdout" || kept_wrong="$kept_wrong; the $kept_run run's output differs"
    # A run that goes on as another program does not say.
    case $(kept_count different) in '' | 0) ;; *) kept_wrong="$kept_wrong; the $kept_run run translates otherwise" ;; esac
  done
}

# all_kept OPTIONS... PROGRAM [ARGUMENTS...]: runs all four, and sets $kept_wrong. True if nothing is.
all_kept() {
  cprof_alone "$scratch/kept.none" "$@"
  runs_with_kept $? "$@"
  [ "$(kept_count 'used again' | grep -v '^0$')" ] || kept_wrong="$kept_wrong; nothing is used again"
  [ -z "$kept_wrong" ]
}

# same_kept NAME OPTIONS... PROGRAM [ARGUMENTS...]: one assertion that the three runs have the same profile, byte by byte, and end the
# same; that a later run uses what the first one kept; and that this is what VEX translates.
same_kept() {
  kept_name=$1; shift
  settled all_kept "$@"
  is "$kept_wrong" "" "$kept_name" || note "$(diff "$scratch/kept.none" "$scratch/kept.with" | head -n 10)"
}

# kept_everywhere OPTIONS... PROGRAM [ARGUMENTS...]: the same for any run of another test, for make check-translations. What differs goes to
# $scratch/kept.differs, since the run may be one of a subshell. A program whose runs differ by themselves is left out.
kept_everywhere() {
  every_left=$#
  while [ $every_left -gt 0 ]; do
    every_word=$1; shift
    every_left=$((every_left - 1))
    case $every_word in
    --cprof-names=* | --cprof-check=* | --cprof-out-file=* | --translations* | --deterministic=*) ;;
    *) set -- "$@" "$every_word" ;;
    esac
  done
  kept_within=yes every_options=$vg_options
  vg_options=$(printf '%s' "$vg_options" | sed 's/--progress-file=[^ ]*//') # a file that the test looks at
  cprof_alone "$scratch/kept.again" "$@" 2>/dev/null
  cprof_alone "$scratch/kept.none" "$@" 2>/dev/null
  every_status=$?
  if [ -s "$scratch/kept.none" ] && cmp -s "$scratch/kept.none" "$scratch/kept.again"; then
    runs_with_kept $every_status "$@" 2>/dev/null
    case $kept_wrong in *profile* | *ends*) varies "$@" && kept_wrong= ;; esac
    case $kept_wrong in
    *profile* | *ends* | *translates*) echo "$*$kept_wrong" >>"$scratch/kept.differs" ;;
    *) echo "$*" >>"$scratch/kept.compared" ;;
    esac
  else
    note "not compared: $*"
  fi
  kept_within='' vg_options=$every_options
}
# varies OPTIONS... PROGRAM [ARGUMENTS...]: true if some runs without kept translations differ.
varies() {
  for every_run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    cprof_alone "$scratch/kept.again" "$@" 2>/dev/null
    cmp -s "$scratch/kept.none" "$scratch/kept.again" || { note "varies by itself: $*"; return 0; }
  done
  return 1
}
# The assertion for all of a test's runs.
kept_everywhere_done() {
  [ -z "${CPROF_CHECK_TRANSLATIONS-}" ] || [ -n "${kept_within-}" ] ||
    is "$(cat "$scratch/kept.differs" 2>/dev/null)" "" "kept translations change none of $(cat "$scratch/kept.compared" 2>/dev/null | wc -l) runs"
}
