# profile.sh - a program and a profile of it to browse, "raw", made here: what each function cost is known. After tui.sh.
# shellcheck shell=sh disable=SC2154
for tool in ${CC:-cc} nm; do
  command -v "${tool%% *}" >/dev/null 2>&1 || skip_all "no $tool"
done
cprof=$build/cargo-cprof
cd "$scratch" || exit 1

cat >program.c <<'END'
__attribute__((noinline)) int leaf(int n)
{ /* three times */
    return n * 3;
}
__attribute__((noinline)) int work(int n)
{
    return n ? leaf(n) + work(n - 1) : 0;
}
__attribute__((noinline)) int other(int n)
{
    return leaf(n);
}
int main(int argc, char **argv)
{
    (void)argv;
    return work(argc) + other(argc);
}
END
link_statically
${CC:-cc} -g -O0 $static -o program program.c 2>/dev/null || skip_all "$CC cannot build a program"
at() { nm program | sed -n "s/^0*\([0-9a-f]*\) [tT] $1\$/\1/p"; }
main=$(at main) work=$(at work) other=$(at other) leaf=$(at leaf)
# main has 1000 instructions, work 3000, leaf 4000 below work and 1500 below other, other 500: 10,000 in all; data reads: work 70, leaf 30.
{
  cat <<END
cprof-raw 2
creator: cprof-0.1.0 valgrind-3.19.0
pid: 4711
program: $scratch/program
arg: ./program
events: Ir Dr
counted: Dr
exit: code 0
o 0 - $scratch/program
s 0 0 $main i
s 1 0 $work i
s 2 0 $leaf i
s 3 0 $other i
t 0 - [thread 1]
n 1 0 0 $main - 0 1
k 0 1000
n 2 1 0 $work 0 $main 4
k 1 3000
m 0 $work 70
n 3 2 0 $leaf 0 $work 4
k 2 4000
m 0 $leaf 30
n 4 1 0 $other 0 $main 1
k 3 500
n 5 4 0 $leaf 0 $other 1
k 2 1500
e 0 $main 0 $work 0 $main 1 7000 100
e 0 $work 0 $work 0 $work 3 4500 40
e 0 $work 0 $leaf 0 $work 4 4000 30
e 0 $main 0 $other 0 $main 1 2000
e 0 $other 0 $leaf 0 $other 1 1500
i 0 $main 10000 100
i 0 $work 7000 100
i 0 $leaf 5500 30
i 0 $other 2000
END
} >raw
echo "end $(wc -l <raw)" >>raw
# browse WIDTH HEIGHT [OPTIONS FILE]
browse() { start "$1" "$2" "-C $scratch $cprof browse ${3:-raw}"; }
