#include <config.h>

/* The command sample: a run that perf takes samples of. */
#include "cmd/commands.h"
#include "runs/profile_run.h"

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
