#include <config.h>

/* The command test: the tests of a package, each by what it costs. */
#include "bench/session.h"
#include "cmd/commands.h"

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
