#include <config.h>

/* The command heap: a run that shows who allocates. */
#include "cmd/commands.h"
#include "runs/profile_run.h"

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
