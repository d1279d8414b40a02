#include <config.h>

/* The command bisect: the commit that made a program cost more. */
#include "bisect/session.h"
#include "cmd/commands.h"

const struct command command_bisect = {
    .name = "bisect",
    .summary = "find the commit that made the program cost more, and why",
    .usage = "--good REV --fail-if EXPR [OPTIONS] [-- ARGUMENTS...]",
    .examples = "  cargo cprof bisect --good v1.0 --fail-if 'ir>+2%'      since a tag, to HEAD\n"
                "  cargo cprof bisect --good v1 --bad v2 --fail-if 'a::*: ir>+5%' -- input\n"
                "  cargo cprof bisect --good v1 --heap --fail-if 'bytes>+1M'\n"
                "  cargo cprof bisect --good v1 --fail-if 'ir>+1%' --build 'make p' --bin ./p\n",
    .usual = "good bad fail-if build bin profile features cache-sim heap output json",
    .run = bisect_session,
};
