#include <config.h>

/* The command cachegrind: a run with caches. */
#include "cmd/commands.h"
#include "runs/profile_run.h"

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
