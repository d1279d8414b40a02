#include <config.h>

/* The command browse: a profile on the terminal, to look around in. */
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "cmd/browse.h"
#include "cmd/command.h"
#include "cmd/load.h"
#include "cmd/show.h"
#include "cmd/side.h"
#include "cmd/sources.h"
#include "model/source.h"
#include "run/packages.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/browser.h"
#include "tui/keys.h"

struct settings {
    struct resolve_settings names;
    struct string_list maps;
};

static const struct option_def options[] = {
    {"names", 0, OPTION_CHOICE, "STYLE", "how functions are called: short, full, or raw",
     offsetof(struct settings, names.style), show_name_styles},
    {"no-inlines", 0, OPTION_FLAG, NULL,
     "begin with inlined code as the function's that it was compiled into; i changes that",
     offsetof(struct settings, names.no_inlines), NULL},
    {"source-map", 0, OPTION_LIST, "OLD=NEW",
     "look for sources below NEW that were built below OLD; repeatable",
     offsetof(struct settings, maps), NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL},
};

/* The program's name, as far as the profile knows. */
static const char *name_of(const struct cprof_profile *p)
{
    const char *path = p->program ? p->program : p->source ? p->source : "profile";
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* The profile read again, with or without inlined functions. */
struct again {
    const char *path;
    struct resolve_settings names;
    const struct cprof_profile *first; /* as it was when the browser began */
    bool first_inlines;
    struct cprof_profile *other;
};

static const struct cprof_profile *read_again(void *data, bool inlines)
{
    struct again *again = data;
    enum name_quality *qualities = NULL;

    if (inlines == again->first_inlines)
        return again->first;
    if (again->first->format != CPROF_FORMAT_RAW)
        return NULL;
    again->names = load_brief(&again->names);
    again->names.no_inlines = !inlines;
    if (!again->other)
        again->other = load_named_profile(again->path, &again->names, &qualities);
    free(qualities);
    return again->other;
}

int browse_profile(const struct cprof_profile *profile, const struct browse_settings *settings)
{
    char *here = settings->root ? xstrdup(settings->root) : getcwd(NULL, 0);
    char *project = sources_root();
    const struct source_finder sources = {.maps = settings->maps, .root = project};
    struct again again = {.path = settings->path,
                          .names = settings->names,
                          .first = profile,
                          .first_inlines = !settings->names.no_inlines};
    struct browse browse = {.profile = profile,
                            .old = settings->old,
                            .noise = {settings->noise[0], settings->noise[1]},
                            .root = here,
                            .sources = &sources,
                            .packages = settings->packages,
                            .name = name_of(profile),
                            .inlines = again.first_inlines,
                            .reload = settings->path && !settings->old ? read_again : NULL,
                            .reload_data = &again};
    enum browse_end end = BROWSE_QUIT;
    int ended_by = 0;

    if (profile->n_events)
        end = browse_run(&browse, &ended_by);
    cprof_free(again.other);
    free(here);
    free(project);
    if (!profile->n_events)
        return message_error("no events in '%s'", profile->source);
    if (end == BROWSE_NO_TERMINAL)
        return message_error("no terminal to browse on; 'cargo cprof report' prints the profile");
    if (end == BROWSE_SIGNAL) {
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
    return STATUS_OK;
}

static struct cprof_profile *load(const char *path, const struct resolve_settings *names)
{
    enum name_quality *qualities = NULL;
    struct cprof_profile *profile = load_named_profile(path, names, &qualities);

    free(qualities);
    return profile;
}

static int browse_file(const char *file, const struct settings *settings)
{
    struct resolve_settings brief = load_brief(&settings->names);
    char *path = load_path(file, "browse callgrind.out.1234");
    struct cprof_profile *profile;
    struct packages packages = {0};
    int status = STATUS_ERROR;

    if (!path)
        return STATUS_USAGE;
    profile = load(path, &brief);
    packages_find(&packages, path);
    if (profile)
        (void)show_warnings(profile, false);
    if (profile)
        status = browse_profile(profile, &(struct browse_settings){.path = path,
                                                                   .names = settings->names,
                                                                   .packages = &packages,
                                                                   .maps = &settings->maps});
    packages_free(&packages);
    cprof_free(profile);
    free(path);
    return status;
}

static int browse_two(const struct string_list *names, const struct settings *settings)
{
    struct side old = {.profile = NULL}, new = {.profile = NULL};
    int status = side_load(&old, names->items[0]);

    if (!status)
        status = side_load(&new, names->items[1]);
    if (!status)
        status = browse_profile(
            new.profile, &(struct browse_settings){.old = old.profile,
                                                   .noise = {side_noise(&old), side_noise(&new)},
                                                   .names = load_full_names,
                                                   .maps = &settings->maps});
    side_free(&old);
    side_free(&new);
    return status;
}

static int check(const struct string_list *files, const struct settings *settings)
{
    if (files->n > 2)
        return message_usage("unexpected '%s'; there is one profile, or OLD and NEW",
                             files->items[2]);
    for (size_t i = 0; i < settings->maps.n; i++)
        if (!source_map_is_valid(settings->maps.items[i]))
            return message_usage("'%s' for --source-map is not OLD=NEW", settings->maps.items[i]);
    return 0;
}

/* The keys, from the table that the browser obeys. */
static void help_keys(FILE *out)
{
    fprintf(out, "\nKeys:\n");
    keys_write(out);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {.names = {.no_inlines = false}};
    const struct option_group groups[] = {{"What is shown", options, &settings},
                                          {NULL, NULL, NULL}};
    struct option_result result;
    int status = options_parse(self->name, argc, argv, groups, &result);

    if (status == 0 && result.help) {
        status = command_help_of(self, groups);
    } else if (status == 0) {
        options_take_rest(&result);
        status = check(&result.operands, &settings);
        if (status == 0 && result.operands.n == 2)
            status = browse_two(&result.operands, &settings);
        else if (status == 0)
            status = browse_file(result.operands.n ? result.operands.items[0] : NULL, &settings);
    }
    string_list_free(&settings.maps);
    string_list_free(&result.operands);
    return status;
}

const struct command command_browse = {
    .name = "browse",
    .summary = "look around in a profile on the terminal",
    .usage = "[OPTIONS] [FILE | OLD NEW]",
    .examples =
        "  cargo cprof browse                         the last run\n"
        "  cargo cprof browse callgrind.out.1234      any profile of callgrind or cachegrind\n"
        "  cargo cprof browse main last               what changed since a baseline\n",
    .more_help = help_keys,
    .run = run,
};
