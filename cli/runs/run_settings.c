#include <config.h>

#include "runs/run_settings.h"

#include "base/memory.h"
#include "table/heap.h"

#include <stdlib.h>

int run_by_options(const struct command *self, const struct option_group *groups, int argc,
                   char **argv, command_work *work, struct run_settings *settings)
{
    char *line = command_line(self, argc, argv);
    int status;

    settings->command = self->name;
    settings->command_line = line;
    status = command_run(self, groups, argc, argv, work, settings);
    build_request_free(&settings->build);
    measure_free(&settings->measure);
    sampling_free(&settings->sampling);
    string_list_free(&settings->compare.fail_if);
    free(line);
    return status;
}

char *run_events(const struct measure *measure)
{
    return xasprintf(
        "Ir%s%s Rep%s", measure->cache_sim ? " I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw" : "",
        measure->branch_sim ? " Bc Bcm Bi Bim" : "", measure->heap ? " " HEAP_EVENTS : "");
}
