#include <config.h>

#include "views/browse_profile.h"

#include "base/memory.h"
#include "base/message.h"
#include "profiles/load.h"
#include "render/text/run_header.h"
#include "source/source_file.h"
#include "table/columns.h"
#include "tui/browsed.h"
#include "tui/browser.h"
#include "views/view_form.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

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
    if (inlines == again->first_inlines)
        return again->first;
    if (again->first->format != CPROF_FORMAT_RAW)
        return NULL;
    again->names = load_brief(&again->names);
    again->names.no_inlines = !inlines;
    if (!again->other)
        again->other = load_named_profile(again->path, &again->names, NULL);
    return again->other;
}

static void fill(enum view_id view, struct browsed *d, struct table *table)
{
    const struct show_settings all = {.limit = 0};
    const struct column_selection selection = {
        .columns = d->columns, .sort = browsed_self(d), .measure = browsed_self(d)};
    const struct view_input input = {.profile = d->profile,
                                     .view = view,
                                     .callers = browsed_callers(d),
                                     .crates = &d->crates,
                                     .settings = &all,
                                     .selection = &selection,
                                     .root = d->root};

    view_fill(view, &input, table);
}

int browse_check(void)
{
    char *problem = browser_problem();
    int status = problem ? message_error("%s; or leave out --tui for a table", problem) : 0;

    free(problem);
    return status;
}

static int no_terminal(void)
{
    char *problem = browser_problem();
    int status = message_error("%s; 'cargo cprof report' prints the profile",
                               problem ? problem : "the terminal's type (TERM) is not known here");

    free(problem);
    return status;
}

/* Returns 0, or STATUS_USAGE where the profile has no such column. */
static int check_sort(const struct cprof_profile *profile, const char *sort)
{
    struct columns columns;
    const struct column *column;
    char *names;
    int status = 0;

    if (!sort || !profile->n_events)
        return 0;
    columns_load(&columns, events_of(profile));
    column = columns_find(&columns, sort);
    names = columns_names(&columns, true);
    if (!column || !column_is_number(column))
        status = message_usage("'%s' is no column for --sort; it takes one of %s", sort, names);
    free(names);
    columns_free(&columns);
    return status;
}

int browse_profile(const struct cprof_profile *profile, const struct browse_settings *settings)
{
    char *here = settings->root ? xstrdup(settings->root) : getcwd(NULL, 0);
    char *project = source_root(), *title = profile_title(profile, NULL, NULL);
    const struct source_finder sources = {.maps = settings->maps, .root = project};
    struct again again = {.path = settings->path,
                          .names = settings->names,
                          .first = profile,
                          .first_inlines = !settings->names.no_inlines};
    struct browser_input browse = {.profile = profile,
                                   .old = settings->old,
                                   .noise = {settings->noise[0], settings->noise[1]},
                                   .name_style = settings->names.style,
                                   .root = here,
                                   .sources = &sources,
                                   .packages = settings->packages,
                                   .name = title,
                                   .measure = settings->sort,
                                   .inlines = again.first_inlines,
                                   .threads = settings->threads,
                                   .full_paths = settings->full_paths,
                                   .reload = settings->path && !settings->old ? read_again : NULL,
                                   .reload_data = &again,
                                   .fill = fill};
    enum browser_end end = BROWSER_QUIT;
    int ended_by = 0, status = check_sort(profile, settings->sort);

    if (profile->n_events && !status)
        end = browser_run(&browse, &ended_by);
    cprof_free(again.other);
    free(here);
    free(title);
    free(project);
    if (status)
        return status;
    if (!profile->n_events)
        return message_error("no events in '%s', so there is nothing to show; name another profile",
                             profile->source);
    if (end == BROWSER_NO_TERMINAL)
        return no_terminal();
    if (end == BROWSER_SIGNAL) {
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
    return STATUS_OK;
}
