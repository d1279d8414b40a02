#include <config.h>

/* The command bench: the benches of a package as they are. */
#include "bench/session.h"
#include "cmd/commands.h"

static int run_bench(const struct command *self, int argc, char **argv)
{
    return bench_session(self, argc, argv, false);
}

const struct command command_bench = {
    .name = "bench",
    .summary = "count what each benchmark costs, as it is written",
    .usage = "[OPTIONS] [FILTER]",
    .examples =
        "  cargo cprof bench                              what `cargo bench` would run\n"
        "  cargo cprof bench parse                        benches with that in the name\n"
        "  cargo cprof bench --save-baseline main         keep the counts\n"
        "  cargo cprof bench --baseline main --fail-if 'bench(*): ir>+1%'\n"
        "  cargo cprof bench --cache-sim --sort cost      misses too, the costliest first\n",
    .run = run_bench,
};
