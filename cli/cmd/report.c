#include <config.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "cmd/command.h"
#include "cmd/load.h"
#include "cmd/show.h"
#include "out/text.h"
#include "run/last.h"

#include <stdio.h>
#include <stdlib.h>

/* The cachegrind table suits what cachegrind wrote and what has its misses. */
static enum show_view view_of(const struct cprof_profile *p)
{
    return p->format == CPROF_FORMAT_CACHEGRIND || cprof_find_event(p, "I1mr") != CPROF_NONE ||
                   cprof_find_event(p, "D1mr") != CPROF_NONE
               ? SHOW_CACHEGRIND
               : SHOW_CALLGRIND;
}

static int report_file(const char *path, const struct show_settings *settings, FILE *out)
{
    enum name_quality *qualities;
    struct cprof_profile *profile = load_named_profile(path, &settings->names, &qualities);
    struct show_context context = {.qualities = qualities};
    int status = STATUS_ERROR;

    if (profile) {
        context.view = view_of(profile);
        status = show_write(profile, settings, &context, out, settings->output != NULL);
    }
    cprof_free(profile);
    free(qualities);
    return status;
}

/* All files in turn, each with its name above where there are several. One that cannot be read does
 * not keep the others back. */
static int report_files(const struct string_list *files, const struct show_settings *settings,
                        FILE *out)
{
    int status = STATUS_OK;

    for (size_t i = 0; i < files->n; i++) {
        int its;

        if (files->n > 1 && !settings->json) {
            char *name = text_clean(files->items[i], text_is_utf8());

            fprintf(out, "%s==> %s <==\n\n", i ? "\n" : "", name);
            free(name);
        }
        fflush(out); /* before what is said on standard error */
        its = report_file(files->items[i], settings, out);
        if (its == STATUS_USAGE)
            return its;
        if (its != STATUS_OK)
            status = its;
    }
    return status;
}

static int report_to(const struct string_list *files, const struct show_settings *settings)
{
    struct output_file file;
    int status = show_begin(&file, settings);

    if (status == 0)
        status = report_files(files, settings, file.stream);
    return show_end(&file, settings, status);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct show_settings settings = SHOW_SETTINGS_INIT;
    struct option_group groups[] = {{"Output", show_options, &settings}, {NULL, NULL, NULL}};
    struct option_result result;
    char *last = NULL;
    int status = options_parse(self->name, argc, argv, groups, &result);

    if (status == 0 && result.help) {
        status = command_help_of(self, groups);
        show_help(stdout);
    } else if (status == 0) {
        for (char **rest = result.rest; rest && *rest; rest++)
            string_list_add(&result.operands, *rest);
        if (result.operands.n == 0 && (last = last_profile_path()))
            string_list_add(&result.operands, last);
        if (result.operands.n == 0)
            status = message_usage("no profile given, and no run was kept here; try 'cargo cprof "
                                   "report callgrind.out.1234'");
        else if (settings.json && result.operands.n > 1)
            status = message_usage("--json takes one profile, found %zu; write them one by one",
                                   result.operands.n);
        else
            status = report_to(&result.operands, &settings);
    }
    string_list_free(&result.operands);
    free(last);
    return status;
}

const struct command command_report = {
    .name = "report",
    .summary = "show profiles that callgrind, cachegrind or cargo-cprof wrote",
    .usage = "[OPTIONS] [FILE...]",
    .examples = "  cargo cprof report                             the last run again\n"
                "  cargo cprof report callgrind.out.1234          who costs what\n"
                "  cargo cprof report -n 0 --sort dr cachegrind.out.1234\n"
                "                                                 all functions, by data reads\n"
                "  cargo cprof report --json callgrind.out.1234   the same for scripts\n",
    .run = run,
};
