#include <config.h>

/* The command browse: a profile on the terminal, to look around in. */
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "cmd/browse.h"
#include "cmd/command.h"
#include "cmd/load.h"
#include "cmd/show.h"
#include "run/last.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/browser.h"

static const struct option_def options[] = {
    {"names", 0, OPTION_CHOICE, "STYLE", "how functions are called: short, full, or raw",
     offsetof(struct resolve_settings, style), show_name_styles},
    {"no-inlines", 0, OPTION_FLAG, NULL,
     "begin with inlined code as the function's that it was compiled into; i changes that",
     offsetof(struct resolve_settings, no_inlines), NULL},
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
    again->names.no_inlines = !inlines;
    if (!again->other)
        again->other = load_named_profile(again->path, &again->names, &qualities);
    free(qualities);
    return again->other;
}

int browse_profile(const struct cprof_profile *profile, const struct browse_settings *settings)
{
    char *here = settings->root ? xstrdup(settings->root) : getcwd(NULL, 0);
    struct again again = {.path = settings->path,
                          .names = settings->names,
                          .first = profile,
                          .first_inlines = !settings->names.no_inlines};
    struct browse browse = {.profile = profile,
                            .root = here,
                            .name = name_of(profile),
                            .inlines = again.first_inlines,
                            .reload = settings->path ? read_again : NULL,
                            .reload_data = &again};
    enum browse_end end;
    int ended_by = 0;

    if (!profile->n_events) {
        free(here);
        return message_error("no events in '%s'", profile->source);
    }
    end = browse_run(&browse, &ended_by);
    cprof_free(again.other);
    free(here);
    if (end == BROWSE_NO_TERMINAL)
        return message_error("no terminal to browse on; 'cargo cprof report' prints the profile");
    if (end == BROWSE_SIGNAL) {
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
    return STATUS_OK;
}

static int browse_file(const char *file, const struct resolve_settings *names)
{
    char *path = file ? xstrdup(file) : last_profile_path();
    enum name_quality *qualities = NULL;
    struct cprof_profile *profile;
    int status;

    if (!path)
        return message_usage("no profile given, and no run was kept here; try 'cargo cprof browse "
                             "callgrind.out.1234'");
    profile = load_named_profile(path, names, &qualities);
    status = profile ? browse_profile(profile, &(struct browse_settings){path, NULL, *names})
                     : STATUS_ERROR;
    cprof_free(profile);
    free(qualities);
    free(path);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct resolve_settings names = {.no_inlines = false};
    const struct option_group groups[] = {{"Names", options, &names}, {NULL, NULL, NULL}};
    struct option_result result;
    int status = options_parse(self->name, argc, argv, groups, &result);

    if (status == 0 && result.help) {
        status = command_help_of(self, groups);
    } else if (status == 0) {
        for (char **rest = result.rest; rest && *rest; rest++)
            string_list_add(&result.operands, *rest);
        if (result.operands.n > 1)
            status =
                message_usage("unexpected '%s'; there is one profile", result.operands.items[1]);
        else
            status = browse_file(result.operands.n ? result.operands.items[0] : NULL, &names);
    }
    string_list_free(&result.operands);
    return status;
}

const struct command command_browse = {
    .name = "browse",
    .summary = "look around in a profile on the terminal",
    .usage = "[OPTIONS] [FILE]",
    .examples =
        "  cargo cprof browse                         the last run\n"
        "  cargo cprof browse callgrind.out.1234      any profile of callgrind or cachegrind\n",
    .run = run,
};
