# browsers.sh - pictures and pages of examples/nnet for tests that look at them in browsers; after tap.sh, in $scratch.
# Needs python3, cargo, and packages chromium and chromium-driver, or firefox-esr.
# shellcheck shell=sh disable=SC2154
[ -x /usr/bin/python3 ] || skip_all "no python3"
[ -x "${VALGRIND_BIN-}" ] || skip_all "no valgrind"
why=$(cd "$top/tests" && /usr/bin/python3 -B -c 'import marionette, webdriver; print(webdriver.missing() and marionette.missing() or "")' 2>/dev/null) ||
  skip_all "python3 lacks modules"
[ -z "$why" ] || skip_all "neither chromium with chromedriver nor firefox-esr"
[ -n "${CARGO-}" ] || skip_all "no cargo"
unset CARGO_TARGET_DIR COLUMNS
cp -r "$top/examples/nnet" nnet && chmod -R u+w nnet || exit 1
# in_nnet ARGUMENT...: cargo-cprof in there.
in_nnet() { (cd nnet && "$build/cargo-cprof" "$@" 2>>"$scratch/errors"); }

# look SCRIPT: runs it on the folder of tests and $scratch, and passes on what it says.
look() {
  /usr/bin/python3 -B "$1" "$top/tests" "$scratch" >looked 2>&1
  look_status=$?
  while IFS= read -r line; do
    case $line in
      "ok - "*) ok 0 "${line#ok - }" ;;
      "not ok - "*) ok 1 "${line#not ok - }" ;;
      "skip - "*) line=${line#skip - }; skip "${line% # *}" "${line#* # }" ;;
      *) note "$line" ;;
    esac
  done <looked
  is "$look_status" 0 "the script came to its end"
}
