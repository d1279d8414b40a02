#include <config.h>

/* The command merge: several profiles as one file. */
#include "base/counts.h"
#include "base/message.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "profiles/compared.h"
#include "profiles/load.h"

#include <stdlib.h>

struct merge_settings {
    const char *output;
};

static const struct option_def merge_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_ONCE,
     .value = "FILE",
     .help = "the file to write, whole or not at all",
     .offset = offsetof(struct merge_settings, output)},
    {.name = NULL},
};

static int merge_files(const struct string_list *names, const char *output)
{
    enum name_quality *qualities = NULL;
    struct string_list files;
    int status = load_paths(names, NULL, &files);
    struct cprof_profile *merged =
        status ? NULL : load_merged_profile(&files, &load_raw_names, true, &qualities);

    if (merged) {
        (void)profile_warnings(merged, false);
        load_warn_names(merged, qualities);
        load_note_end(merged);
    }
    free(qualities);
    status = merged ? save_profile(merged, output) : STATUS_ERROR;

    if (!status)
        message_status("Wrote", "%s, of %s profile%s", output, TEXT_COUNT(names->n),
                       names->n == 1 ? "" : "s");
    cprof_free(merged);
    string_list_free_texts(&files);
    return status;
}

static int work(void *data, struct option_result *result)
{
    const struct merge_settings *settings = data;
    int status;

    options_take_rest(result);
    if (!result->operands.n)
        return message_usage("no profile given; try 'cargo cprof merge callgrind.out.* -o "
                             "all.cprof'");
    if (!settings->output || !*settings->output)
        return message_usage("no file to write; name one with -o");
    status = output_check(settings->output);
    return status ? status : merge_files(&result->operands, settings->output);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct merge_settings settings = {NULL};
    const struct option_group groups[] = {
        {.title = "Output", .defs = merge_options, .settings = &settings}, {.title = NULL}};

    return command_run(self, groups, argc, argv, work, &settings);
}

const struct command command_merge = {
    .name = "merge",
    .summary = "add up profiles of parts, threads, processes or runs",
    .usage = "FILE... -o OUT",
    .examples = "  cargo cprof merge callgrind.out.12* -o all.cprof   all parts and threads\n"
                "  cargo cprof merge run1.cprof run2.cprof -o sum.cprof\n"
                "  cargo cprof report all.cprof                       the sum\n",
    .run = run,
};
