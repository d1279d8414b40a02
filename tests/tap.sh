# tap.sh - the Test Anything Protocol for shell tests: `. "${srcdir:-.}/tests/tap.sh"`, any number of checks, then `tap_done`.
# Gives $scratch, a folder of the test's own that is removed at the end; $top, the source tree; $build, the build tree.
tap_count=0
tap_failed=0
top=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
shared=${CPROF_SHARED:-$top/../shared}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cprof-test.XXXXXX")
tap_first= # a command that comes before the end of the tests, with checks of its own
tap_last= # a command that comes before the test's folder is removed
# By the test's own process alone: a job in the background that is killed before it has put its traps away runs them, too.
tap_cleanup() {
  [ "$(exec sh -c 'echo "$PPID"')" = $$ ] || return
  eval "$tap_last"
  rm -rf "$scratch"
}
trap tap_cleanup EXIT
trap 'exit 130' INT TERM
# The interpreter itself, not the script of a version manager, which takes longer than what it starts.
if [ -x /usr/bin/python3 ]; then python3() { /usr/bin/python3 "$@"; }; fi
# nm loads the compilers' plugins before it looks at the file, which takes ten times as long as the rest.
if command -v nm >/dev/null 2>&1; then nm() { command nm --plugin=/dev/null "$@"; }; fi
export LC_ALL=C NO_COLOR=1 PAGER=cat XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
unset VALGRIND_OPTS VALGRIND_LIB RUST_BACKTRACE DEBUGINFOD_URLS

# long: true in make check-long. What takes too long for each change is left out without it.
long() { [ -n "${CPROF_LONG-}" ]; }

# link_statically: sets $static, options that link a program statically: a run takes half as long, and the debug information of libc is not read.
# It is empty in make check-long, and where there is no static libc. Of two linkers gold takes half the time for this. On arm64 the start code of
# a static program calls main by a jump within _start, so what ran before main would be part of a circle.
link_statically() {
  static=
  if long || [ "$(uname -m)" = aarch64 ]; then return; fi
  case $(${CC:-gcc} -print-file-name=libc.a) in
  /*)
    static=-static
    ! command -v ld.gold >/dev/null || static="-static -fuse-ld=gold"
    ;;
  esac
}

# ok STATUS NAME: passes where STATUS is 0.
ok() {
  tap_count=$((tap_count + 1))
  if [ "$1" -eq 0 ]; then echo "ok $tap_count - $2"; else
    echo "not ok $tap_count - $2"; tap_failed=$((tap_failed + 1)); return 1
  fi
}
# check NAME COMMAND...: passes where the command succeeds; shows what it printed where it fails.
check() {
  check_name=$1; shift
  if "$@" >"$scratch/.check" 2>&1; then ok 0 "$check_name"; else ok 1 "$check_name"; sed 's/^/# /' "$scratch/.check" | head -n 40; return 1; fi
}
# is GOT WANT NAME
is() {
  if [ "$1" = "$2" ]; then ok 0 "$3"; else ok 1 "$3"; printf '%s\n' "got: $1" "want: $2" | sed 's/^/# /' | head -n 60; return 1; fi
}
# matches TEXT REGEX NAME: an extended regular expression, somewhere in the text.
matches() {
  if is_in "$1" "$2"; then ok 0 "$3"; else ok 1 "$3"; printf '%s\n' "text: $1" "regex: $2" | sed 's/^/# /' | head -n 60; return 1; fi
}
# is_in TEXT REGEX. Starting grep takes longer than many a search: the shell itself finds what is mere text, or that between ^ and $.
is_in() {
  is_in_text="
$1
" is_in_what=$2
  case $2 in '^'*) is_in_what="
${2#^}" ;; esac
  case $is_in_what in *'$') is_in_what="${is_in_what%?}
" ;; esac
  case ${2#^} in
  *[].^*+?\|\\\(\)\{\}[]* | *'$'?* | *'
'*) grep -Eq -- "$2" <<END
$1
END
  ;;
  *) case $is_in_text in *"$is_in_what"*) ;; *) return 1 ;; esac ;;
  esac
}
# read_output: $out and $err become what the files of these names in $scratch hold, without newlines at the end. A few lines are read by the shell
# alone, and nothing is read by nobody: cat takes longer.
read_output() {
  out='' err='' read_output_n=0
  [ ! -s "$scratch/out" ] || out=$(cat "$scratch/out")
  while IFS= read -r read_output_line || [ -n "$read_output_line" ]; do
    read_output_n=$((read_output_n + 1))
    [ $read_output_n -le 20 ] || { err=$(cat "$scratch/err"); break; }
    err="$err$read_output_line
"
  done <"$scratch/err"
  while :; do
    case $err in
    *'
') err=${err%?} ;;
    *) break ;;
    esac
  done
}
skip() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $1 # SKIP $2"; }
# skip_all WHY: ends the test as skipped as a whole.
skip_all() { echo "1..0 # SKIP $1"; exit 0; }
# note TEXT: a diagnostic line.
note() { printf '%s\n' "$1" | sed 's/^/# /'; }
tap_done() { eval "$tap_first"; echo "1..$tap_count"; [ "$tap_failed" -eq 0 ]; }
