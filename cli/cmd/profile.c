#include <config.h>

/* The commands that run a program and show what it did: each counts something else. */
#include "cmd/commands.h"
#include "runs/profile_run.h"

/*--- callgrind: instructions, with call paths ---*/

static int run_callgrind(const struct command *self, int argc, char **argv)
{
    return profile_run(self, argc, argv, SHOW_CALLGRIND, CPROF_SUBJECT_CODE);
}

const struct command command_callgrind = {
    .name = "callgrind",
    .summary = "run a program and show the instructions each function executed",
    .usage = "[OPTIONS] [-- ARGUMENTS...]",
    .examples = "  cargo cprof callgrind --release                what `cargo run -r` would run\n"
                "  cargo cprof callgrind --example demo -- -v 3   an example, with arguments\n"
                "  cargo cprof callgrind --bin /usr/bin/xz -n 5   any executable, five rows\n"
                "  cargo cprof callgrind --toggle-collect hot     only what runs within hot\n"
                "  cargo cprof callgrind --deterministic          fixed random bytes\n"
                "  cargo cprof callgrind --release --json | jq    for scripts\n",
    .run = run_callgrind,
};

/*--- cachegrind: caches ---*/

static int run_cachegrind(const struct command *self, int argc, char **argv)
{
    return profile_run(self, argc, argv, SHOW_CACHEGRIND, CPROF_SUBJECT_CODE);
}

const struct command command_cachegrind = {
    .name = "cachegrind",
    .summary = "run a program and show what each function did to the caches",
    .usage = "[OPTIONS] [-- ARGUMENTS...]",
    .examples = "  cargo cprof cachegrind --release               what `cargo run -r` would run\n"
                "  cargo cprof cachegrind --release --sort dr     most data reads first\n"
                "  cargo cprof cachegrind --LL 8388608,16,64      with a last level of 8 MiB\n"
                "  cargo cprof cachegrind --contexts              with call paths, for tree\n"
                "  cargo cprof cachegrind --bench hot --branch-sim\n",
    .usual = "bin example test release contexts deterministic tui limit sort filter by output json "
             "save-baseline baseline fail-if html",
    .own = "branch-sim section-caches line-use miss-curves I1 D1 LL",
    .rest = "callgrind",
    .run = run_cachegrind,
};

/*--- heap: memory that is allocated ---*/

static int run_heap(const struct command *self, int argc, char **argv)
{
    return profile_run(self, argc, argv, SHOW_CALLGRIND, CPROF_SUBJECT_HEAP);
}

const struct command command_heap = {
    .name = "heap",
    .summary = "run a program and show which functions allocate memory",
    .usage = "[OPTIONS] [-- ARGUMENTS...]",
    .examples = "  cargo cprof heap --release                what `cargo run -r` would run\n"
                "  cargo cprof heap --bin /usr/bin/xz        any executable\n"
                "  cargo cprof heap --sort PeakBytes         by what lived when most did\n"
                "  cargo cprof heap --sort EndBytes          by what was never freed\n",
    .usual = "bin example test release alloc-function tui limit sort filter output json "
             "save-baseline baseline fail-if html",
    .rest = "callgrind",
    .run = run_heap,
};

/*--- data: data that misses the caches ---*/

static int run_data(const struct command *self, int argc, char **argv)
{
    return profile_run(self, argc, argv, SHOW_CACHEGRIND, CPROF_SUBJECT_DATA);
}

const struct command command_data = {
    .name = "data",
    .summary = "run a program and show which data misses the caches",
    .usage = "[OPTIONS] [-- ARGUMENTS...]",
    .examples = "  cargo cprof data --release                what `cargo run -r` would run\n"
                "  cargo cprof data --bin /usr/bin/xz        any executable\n"
                "  cargo cprof data --sort DLm               by misses of the last level\n"
                "  cargo cprof data -n 0                     all data, and all lines that miss\n",
    .usual =
        "bin example test release line-use miss-curves tui layout limit sort filter output json "
        "save-baseline baseline html",
    .own = "alloc-function I1 D1 LL",
    .rest = "callgrind",
    .run = run_data,
};

/*--- sample: samples by perf ---*/

const struct command command_sample = {
    .name = "sample",
    .summary = "sample a program with perf and show where the time goes",
    .usage = "[OPTIONS] [-- ARGUMENTS...]",
    .examples = "  cargo cprof sample --release                 what `cargo run -r` would run\n"
                "  cargo cprof sample --bin /usr/bin/xz -- -k f any executable, with arguments\n"
                "  cargo cprof sample --pid 4711 --duration 10  ten seconds of a process\n"
                "  cargo cprof sample --release --json | jq     for scripts\n",
    .run = profile_sample,
};
