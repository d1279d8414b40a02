# oracle.sh - runs a program under the tool and under an oracle, so that nothing but the tool differs between the two runs; for the
# tests in this folder, after tap.sh. What could make counts differ without being a fault, and what is done about it:
#   - the environment and the command line lie on the program's stack: `env -i`, and both tools in one folder of fixed name;
#   - Valgrind's chasing of branches executes, and stock cachegrind counts, instructions the program does not: --vex-guest-chase=no;
#   - the caches of the machine: explicit geometries.
# shellcheck shell=sh disable=SC2154,SC2086
tool_test=$top/tests/tool
tool_built=$build/tests/tool
case $(uname -m) in aarch64) vg_arch=arm64 ;; *) vg_arch=amd64 ;; esac
vg_platform=$vg_arch-linux
CC=${CC:-gcc}

[ -x "${VALGRIND_BIN-}" ] || skip_all "no valgrind"
for oracle_file in cachegrind-$vg_platform vgpreload_core-$vg_platform.so default.supp; do
  [ -e "$VG_LIBEXEC/$oracle_file" ] || skip_all "no $oracle_file in $VG_LIBEXEC"
done
mkdir "$scratch/lib" "$scratch/bin"
ln -s "$VG_LIBEXEC/cachegrind-$vg_platform" "$VG_LIBEXEC/none-$vg_platform" "$VG_LIBEXEC/vgpreload_core-$vg_platform.so" \
  "$VG_LIBEXEC/default.supp" "$scratch/lib/"
# Handlers return through code of the tool's: on arm64 that has the name of a symbol, unless the tool has none, as Debian's tools.
if [ $vg_arch = arm64 ]; then
  strip -o "$scratch/lib/cprof-$vg_platform" "$build/vgtool/cprof-$vg_platform"
else
  ln -s "$build/vgtool/cprof-$vg_platform" "$scratch/lib/"
fi

# Size, ways and line size of I1, D1 and LL. A test may choose others.
default_caches="--I1=32768,8,64 --D1=49152,12,64 --LL=8388608,16,64"
caches=$default_caches
events="--cache-sim=yes --branch-sim=yes"
preload=      # a library to preload into the program
variables=    # variables of its environment
vg_options=   # further options for both tools
vg_timeout=${VG_TIMEOUT:-120}
measure=      # a command to run Valgrind by
tool_folder=$scratch/lib # of both tools
call_paths=yes # whether to count once more, with call paths

# The programs of single instructions, and what a call that a handler makes needs.
edges=edges.c injected_flags="-mno-red-zone -fcf-protection=none"
[ $vg_arch = amd64 ] || edges=edges-$vg_arch.c injected_flags=-ffixed-x18

# compiled NAME SOURCE [FLAGS...]: builds $scratch/bin/NAME from a file in programs/. $compiler is $CC by default. Where it cannot build
# any program with these flags, NAME is skipped; where only this one fails, that is a failure.
compiled() {
  compiled_name=$1 compiled_source=$tool_test/programs/$2; shift 2
  ${compiler:-$CC} "$@" -o "$scratch/bin/$compiled_name" "$compiled_source" >"$scratch/compile.log" 2>&1 && return
  note "$(head -n 5 "$scratch/compile.log")"
  case $compiled_source in *.rs) echo 'fn main() {}' ;; *) echo 'int main(void) { return 0; }' ;; esac >"$scratch/any.${compiled_source##*.}"
  if ${compiler:-$CC} "$@" -o "$scratch/any" "$scratch/any.${compiled_source##*.}" >/dev/null 2>&1; then
    ok 1 "$compiled_name: compiles"
  else
    skip "$compiled_name" "${compiler:-$CC} $* fails"
  fi
  return 1
}

link_statically

# With make check-both each program that a test runs is run by both engines, too.
both_engines=${CPROF_CHECK_BOTH-}
[ $vg_arch = amd64 ] || both_engines=
if [ -n "$both_engines" ]; then
  . "$top/tests/tool/both-engines.sh"
  tap_first="${tap_first:+$tap_first; }both_everywhere_done"
fi

# under TOOL OPTIONS -- PROGRAM [ARGUMENTS...]: the program's output goes to $scratch/TOOL.stdout, Valgrind's to $scratch/TOOL.stderr.
under() {
  [ "$1" != cprof ] || [ -z "$both_engines" ] || [ -n "${both_within-}" ] || { shift; both_everywhere "$@"; set -- cprof "$@"; }
  under_tool=$1; shift
  timeout $vg_timeout $measure env -i $variables VALGRIND_LIB="$tool_folder" ${preload:+LD_PRELOAD="$preload"} "$VALGRIND_BIN" --command-line-only=yes \
    --vgdb=no -q --tool=$under_tool --vex-guest-chase=no --demangle=no --show-below-main=yes $vg_options "$@" \
    >"$scratch/$under_tool.stdout" 2>"$scratch/$under_tool.stderr" </dev/null
}

# settled COMMAND...: true if the command is, on arm64 one of six times. There an exclusive store fails where the machine was interrupted since
# the load, and the program makes both again: now and then a run counts some instructions more than another.
settled() {
  if [ $vg_arch = arm64 ]; then "$@" || "$@" || "$@" || "$@" || "$@" || "$@"; else "$@"; fi
}

# as_without OPTIONS MORE PROGRAM [ARGUMENTS...]: true if a profile has the same with OPTIONS as with MORE, too, but for what plain(), which is
# the test's own, leaves out. VEX counts, which can count all that may be in MORE.
as_without() {
  without=$1 more=$2; shift 2
  under cprof --engine=vex $without --cprof-out-file="$scratch/off" "$@"
  under cprof --engine=vex $without $more --cprof-out-file="$scratch/on" "$@"
  plain "$scratch/off" >"$scratch/off.plain"; plain "$scratch/on" >"$scratch/on.plain"
  [ -s "$scratch/off.plain" ] && diff "$scratch/off.plain" "$scratch/on.plain"
}

# by_cprof FILE PROGRAM [ARGUMENTS...], by_cachegrind FILE PROGRAM [ARGUMENTS...]: profiles to FILE.
by_cprof() {
  by_file=$1; shift
  under cprof $caches $events --cprof-names=yes --cprof-out-file="$by_file" "$@"
}
by_cachegrind() {
  by_file=$1; shift
  under cachegrind $caches $events --cachegrind-out-file="$by_file" "$@"
}

# same NAME PROGRAM [ARGUMENTS...]: one assertion that both tools count the same, in all and in every function, that the program
# behaves the same, and ends the same. $ours_dir and $stock_dir, where set, hold two builds of PROGRAM, which then is a mere name;
# $only, where set, names the events to compare. An exit status other than 0 is right where $expect_status says so.
same() {
  same_name=$1 same_program=$2; shift 2
  settled same_counts "$@"
  if [ $stock_status -ne "${expect_status:-0}" ] || [ $ours_status -ne $stock_status ]; then
    ok 1 "$same_name"
    note "exit status: cachegrind $stock_status, cprof $ours_status, expected ${expect_status:-0}"
    note "$(tail -n 5 "$scratch/cachegrind.stderr" "$scratch/cprof.stderr")"
  elif ! cmp -s "$scratch/cachegrind.stdout" "$scratch/cprof.stdout"; then
    ok 1 "$same_name"
    note "the program wrote different things"
  else
    same_profiles "$same_name" "$scratch/raw" "$scratch/cg"
    [ "$call_paths" = no ] || same_by_paths "$same_name" "${ours_dir:+$ours_dir/}$same_program" "$@"
  fi
}

# same_counts [ARGUMENTS...]: runs both, and sets both statuses. True if the counts are the same.
same_counts() {
  rm -f "$scratch/raw" "$scratch/cg"
  by_cachegrind "$scratch/cg" "${stock_dir:+$stock_dir/}$same_program" "$@"
  stock_status=$?
  by_cprof "$scratch/raw" "${ours_dir:+$ours_dir/}$same_program" "$@"
  ours_status=$?
  [ $vg_arch != arm64 ] || "$tool_built/compare" ${only:+-e "$only"} "$scratch/raw" "$scratch/cg" >/dev/null 2>&1
}

# same_by_paths NAME PROGRAM [ARGUMENTS...]: two assertions: it ends well with call paths, and the sum over contexts is what $scratch/raw has, instruction
# by instruction, while costs of contexts, functions and edges agree with each other.
same_by_paths() {
  same_name=$1; shift
  settled same_over_paths "$@"
  is "$paths_status" "${expect_status:-0}" "$same_name: ends well with call paths" || note "$(tail -n 5 "$scratch/cprof.stderr")"
  if "$tool_built/compare" -a ${only:+-e "$only"} "$scratch/by-paths" "$scratch/raw" >"$scratch/compare.out" 2>&1 &&
    "$tool_built/paths" "$scratch/by-paths" sound >>"$scratch/compare.out" 2>&1; then
    ok 0 "$same_name: the sum over call paths"
    note "$(tail -n 1 "$scratch/compare.out")"
  else
    ok 1 "$same_name: the sum over call paths"
    note "$(head -n 40 "$scratch/compare.out")"
  fi
}

# same_over_paths PROGRAM [ARGUMENTS...]: counts by path, and sets $paths_status. True if the sum is the same.
same_over_paths() {
  rm -f "$scratch/by-paths"
  by_cprof "$scratch/by-paths" --contexts=yes "$@"
  paths_status=$?
  [ $vg_arch != arm64 ] || "$tool_built/compare" -a ${only:+-e "$only"} "$scratch/by-paths" "$scratch/raw" >/dev/null 2>&1
}

# same_profiles NAME RAW CACHEGRIND: one assertion that the two agree.
same_profiles() {
  if "$tool_built/compare" ${only:+-e "$only"} "$2" "$3" >"$scratch/compare.out" 2>&1; then
    ok 0 "$1"
    note "$(tail -n 1 "$scratch/compare.out")"
  else
    ok 1 "$1"
    note "$(head -n 40 "$scratch/compare.out")"
  fi
}
