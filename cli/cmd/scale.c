#include <config.h>

/* The command scale: how costs grow with the size of the input. */
#include "cmd/commands.h"
#include "scale/session.h"

const struct command command_scale = {
    .name = "scale",
    .summary = "find how costs grow with the size of the input",
    .usage = "--sizes N,N,... [OPTIONS] [-- [PROGRAM] ARGUMENTS...]",
    .examples = "  cargo cprof scale --sizes 10,15,20,30,40 -- {n}          the package's program\n"
                "  cargo cprof scale --sizes 10,15,20,30,40 -- ./prog {n}   a program by path\n"
                "  cargo cprof scale --sizes 10,15,20,30,40 --env N={n}     {n} in a variable\n"
                "  cargo cprof scale --sizes 10,15,20,30,40 --stdin-from 'seq {n}' -- ./sum\n"
                "  cargo cprof scale --sizes 10,15,20,30,40 --fail-if 'slope(*)>1.2' -- {n}\n",
    .usual = "sizes auto stdin-from check fail-if bin release plot html env json",
    .run = scale_session,
};
