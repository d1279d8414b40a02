#include <config.h>

/* The command data: a run with the model of the caches that shows which data misses. */
#include "cmd/commands.h"
#include "runs/profile_run.h"

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
