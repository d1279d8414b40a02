#include <config.h>

/* The command browse: a profile on the terminal, to look around in. */
#include "base/message.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "diff/same_program.h"
#include "names/packages.h"
#include "options/show_options.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "source/source_file.h"
#include "tui/keys.h"
#include "views/browse_profile.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    struct resolve_settings names;
    struct string_list maps;
    const char *sort;
    bool full_paths, threads;
};

static const struct option_def options[] = {
    {.name = "names",
     .kind = OPTION_CHOICE,
     .value = "STYLE",
     .help = "how functions are called: short, full, or raw",
     .offset = offsetof(struct settings, names.style),
     .choices = show_name_styles},
    {.name = "no-inlines",
     .kind = OPTION_FLAG,
     .help = "begin with inlined code as the function's that it was compiled into; i changes that",
     .offset = offsetof(struct settings, names.no_inlines)},
    {.name = "section",
     .kind = OPTION_STRING,
     .value = "REGEX",
     .help = "show what ran in sections whose names match as if it were the program",
     .offset = offsetof(struct settings, names.section)},
    {.name = "source-map",
     .kind = OPTION_LIST,
     .value = "OLD=NEW",
     .help = "look for sources below NEW that were built below OLD; repeatable",
     .offset = offsetof(struct settings, maps)},
    {.name = "sort",
     .kind = OPTION_STRING,
     .value = "COLUMN",
     .help = "begin with this cost: Ir, Dr, D1mr, ...; e changes that",
     .offset = offsetof(struct settings, sort)},
    {.name = "full-paths",
     .kind = OPTION_FLAG,
     .help =
         "begin trees with all that starts the program, each inlined function in a separate row; F "
         "changes that",
     .offset = offsetof(struct settings, full_paths)},
    {.name = "threads",
     .kind = OPTION_FLAG,
     .help = "show threads apart in trees, also threads that run equal code",
     .offset = offsetof(struct settings, threads)},
    {.name = NULL},
};

static int browse_file(const char *file, const struct settings *settings)
{
    struct resolve_settings brief = load_brief(&settings->names);
    char *path;
    struct cprof_profile *profile;
    struct packages packages = {0};
    int status = load_path(file, "browse callgrind.out.1234", &path);

    if (status)
        return status;
    status = STATUS_ERROR;
    profile = load_named_profile(path, &brief, NULL);
    packages_find(&packages, path);
    if (profile)
        load_note_end(profile);
    if (profile)
        (void)profile_warnings(profile, false);
    if (profile)
        status =
            browse_profile(profile, &(struct browse_settings){.path = path,
                                                              .names = settings->names,
                                                              .packages = &packages,
                                                              .sort = settings->sort,
                                                              .threads = settings->threads,
                                                              .full_paths = settings->full_paths,
                                                              .maps = &settings->maps});
    packages_free(&packages);
    cprof_free(profile);
    free(path);
    return status;
}

static int browse_two(const struct string_list *names, const struct settings *settings)
{
    struct diff_input old = {.profile = NULL}, new = {.profile = NULL};
    int status = diff_input_load(&old, names->items[0], &settings->names);

    if (!status)
        status = diff_input_load(&new, names->items[1], &settings->names);
    if (!status)
        same_program_note(old.profile, new.profile);
    if (!status)
        status = browse_profile(
            new.profile,
            &(struct browse_settings){.old = old.profile,
                                      .noise = {diff_input_noise(&old), diff_input_noise(&new)},
                                      .names = settings->names,
                                      .sort = settings->sort,
                                      .threads = settings->threads,
                                      .full_paths = settings->full_paths,
                                      .packages = &new.packages,
                                      .maps = &settings->maps});
    diff_input_free(&old);
    diff_input_free(&new);
    return status;
}

static int check(const struct string_list *files, const struct settings *settings)
{
    if (files->n > 2)
        return message_usage("unexpected '%s'; there is one profile, or OLD and NEW",
                             files->items[2]);
    if (settings->full_paths && settings->threads)
        return message_usage("--threads has no effect with --full-paths, which shows each thread; "
                             "leave out --threads");
    for (size_t i = 0; i < settings->maps.n; i++)
        if (!source_map_is_valid(settings->maps.items[i]))
            return message_usage("'%s' is no value for --source-map; it takes OLD=NEW",
                                 settings->maps.items[i]);
    return 0;
}

/* The keys, from the table that the browser obeys. */
static void help_keys(FILE *out)
{
    fprintf(out, "\nKeys:\n");
    keys_write(out);
}

static int work(void *data, struct option_result *result)
{
    const struct settings *settings = data;
    const struct string_list *operands = &result->operands;
    int status;

    options_take_rest(result);
    status = check(operands, settings);
    if (status)
        return status;
    return operands->n == 2 ? browse_two(operands, settings)
                            : browse_file(operands->n ? operands->items[0] : NULL, settings);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {.names = {.inlined_contexts = true}};
    int status = command_run_plain(self, options, argc, argv, work, &settings);

    string_list_free(&settings.maps);
    return status;
}

const struct command command_browse = {
    .name = "browse",
    .summary = "look around in a profile on the terminal",
    .usage = "[OPTIONS] [FILE | OLD NEW]",
    .examples = "  cargo cprof browse                         the last run\n"
                "  cargo cprof browse callgrind.out.1234      any profile\n"
                "  cargo cprof browse main last               what changed since a baseline\n",
    .more_help = help_keys,
    .run = run,
};
