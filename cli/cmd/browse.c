#include <config.h>

/* The command browse: a profile on the terminal, to look around in. */
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "cmd/browse.h"
#include "cmd/command.h"
#include "cmd/load.h"
#include "run/last.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/browser.h"

/* The program's name, as far as the profile knows. */
static const char *name_of(const struct cprof_profile *p)
{
    const char *path = p->program ? p->program : p->source ? p->source : "profile";
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

int browse_profile(const struct cprof_profile *profile, const char *root)
{
    char *here = root ? xstrdup(root) : getcwd(NULL, 0);
    struct browse browse = {.profile = profile, .root = here, .name = name_of(profile)};
    enum browse_end end;
    int ended_by = 0;

    if (!profile->n_events) {
        free(here);
        return message_error("no events in '%s'", profile->source);
    }
    end = browse_run(&browse, &ended_by);
    free(here);
    if (end == BROWSE_NO_TERMINAL)
        return message_error("no terminal to browse on; 'cargo cprof report' prints the profile");
    if (end == BROWSE_SIGNAL) {
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
    return STATUS_OK;
}

static int browse_file(const char *file)
{
    char *path = file ? xstrdup(file) : last_profile_path();
    enum name_quality *qualities = NULL;
    struct cprof_profile *profile;
    int status;

    if (!path)
        return message_usage("no profile given, and no run was kept here; try 'cargo cprof browse "
                             "callgrind.out.1234'");
    profile = load_named_profile(path, &qualities);
    status = profile ? browse_profile(profile, NULL) : STATUS_ERROR;
    cprof_free(profile);
    free(qualities);
    free(path);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    const struct option_group groups[] = {{NULL, NULL, NULL}};
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
            status = browse_file(result.operands.n ? result.operands.items[0] : NULL);
    }
    string_list_free(&result.operands);
    return status;
}

const struct command command_browse = {
    .name = "browse",
    .summary = "look around in a profile on the terminal",
    .usage = "[FILE]",
    .examples =
        "  cargo cprof browse                         the last run\n"
        "  cargo cprof browse callgrind.out.1234      any profile of callgrind or cachegrind\n",
    .run = run,
};
