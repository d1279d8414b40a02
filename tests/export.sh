# export.sh - profiles for the tests of exports; after tap.sh, in $scratch. Sets $profiles, and $hostile where one could be made.
# shellcheck shell=sh disable=SC2154
cargo_cprof=$build/cargo-cprof
unset COLUMNS CARGO_TARGET_DIR

# Names that mean something to one format or another: quotes, an end of line, markup, frame ends, escapes, controls, bad UTF-8, the
# direction of writing. The shell's $(...) takes a final newline away, so none ends with one.
name_1=$(printf 'comma,quote"new\nline')
name_2='<b>&amp;|bar;semi'"'"'x|{\N}'
name_3=$(printf 'ctl\001\033[31m\377\376\342\200\256 end')
name_4='back\slash`tick` #1 $x %s'

# make_hostile: a raw profile with call paths of a real program whose functions have these names; sets $hostile.
make_hostile() {
  [ -x "${VALGRIND_BIN-}" ] && command -v objcopy >/dev/null 2>&1 || return 1
  cat >hostile.c <<'END_C'
__attribute__((noinline)) int name_4(int n) { return n * 3; }
__attribute__((noinline)) int name_3(int n) { int s = 0; while (n--) s += name_4(n); return s; }
__attribute__((noinline)) int name_2(int n) { return name_3(n) + name_4(n); }
__attribute__((noinline)) int name_1(int n) { return name_2(n) + name_2(n + 1); }
int main(int argc, char **argv) { (void)argv; return name_1(argc * 100) == 0; }
END_C
  ${CC:-cc} -O1 -fno-inline -fno-optimize-sibling-calls -fno-ipa-icf -c -o hostile.o hostile.c 2>/dev/null || return 1
  objcopy --redefine-sym "name_1=$name_1" --redefine-sym "name_2=$name_2" --redefine-sym "name_3=$name_3" \
    --redefine-sym "name_4=$name_4" hostile.o renamed.o && ${CC:-cc} -o hostile renamed.o || return 1
  "$cargo_cprof" callgrind --cache-sim --bin "$scratch/hostile" >/dev/null 2>hostile.err || return 1
  hostile=$scratch/hostile.cprof
  cp "$XDG_STATE_HOME/cprof/last.cprof" "$hostile"
}

cp "$top/tests/data/report/small.callgrind" "$top/tests/data/report/small.cachegrind" .
cat >calls.callgrind <<'END'
version: 1
creator: callgrind-3.19.0
cmd: a
positions: line
events: Ir Dr

ob=/bin/a
fl=/s/a.c
fn=main
3 10 1
cob=/lib/b.so
cfi=/s/b.c
cfn=helper
calls=4 7
5 40 4

ob=/lib/b.so
fl=/s/b.c
fn=helper
7 40 4

totals: 50 5
END
profiles="small.callgrind small.cachegrind calls.callgrind"
hostile=
make_hostile && profiles="$profiles $hostile"
