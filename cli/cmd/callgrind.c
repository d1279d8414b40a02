#include <config.h>

/* The command callgrind: a run with call paths. */
#include "cmd/commands.h"
#include "runs/profile_run.h"

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
