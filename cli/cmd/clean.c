#include <config.h>

/* The command clean: kept runs are removed. */
#include "base/counts.h"
#include "base/message.h"
#include "cmd/commands.h"
#include "run/tempdir.h"

struct settings {
    bool baselines;
};

static const struct option_def options[] = {
    {.name = "baselines",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct settings, baselines),
     .help = "remove the package's baselines, too; outside of a package the user's"},
    {.name = NULL}};

static int work(void *data, struct option_result *result)
{
    const struct settings *settings = data;
    struct kept_removed runs;
    int status;

    options_take_rest(result);
    if (result->operands.n)
        return message_usage(
            "unexpected '%s'; clean takes no operand, and removes all runs that are kept here",
            result->operands.items[0]);
    status = kept_files_remove(settings->baselines, &runs);
    if (runs.n)
        message_status("Removed", "%s file%s, %s bytes", TEXT_COUNT(runs.n), runs.n == 1 ? "" : "s",
                       TEXT_COUNT(runs.bytes));
    else if (!status)
        message_note("nothing is kept here");
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {false};

    return command_run_plain(self, options, argc, argv, work, &settings);
}

const struct command command_clean = {
    .name = "clean",
    .summary = "remove the runs that are kept of this package, or of this folder",
    .usage = "[OPTIONS]",
    .examples = "  cargo cprof clean                   what the last runs left\n"
                "  cargo cprof clean --baselines       baselines, too\n",
    .run = run,
};
