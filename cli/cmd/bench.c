#include <config.h>

/* The commands bench and test: the benches and tests of a package as they are. */
#include "bench/session.h"
#include "cmd/commands.h"

/*--- bench ---*/

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

/*--- test ---*/

static int run_test(const struct command *self, int argc, char **argv)
{
    return bench_session(self, argc, argv, true);
}

const struct command command_test = {
    .name = "test",
    .summary = "run the tests and count what each of them costs",
    .usage = "[OPTIONS] [FILTER] [-- ARGUMENTS...]",
    .examples = "  cargo cprof test                               what `cargo test` would run\n"
                "  cargo cprof test --workspace -n 10             ten of all packages\n"
                "  cargo cprof test parse -- --nocapture          some, with what they print\n"
                "  cargo cprof test --baseline main --fail-if 'test(*): ir>+5%'\n",
    .run = run_test,
};
