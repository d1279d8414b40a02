#include <config.h>

#include "views/show_check.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "options/column_selection.h"
#include "options/filters.h"
#include "views/show.h"
#include "views/type_part.h"

#include <stdlib.h>
#include <string.h>

/* Options of which a view takes some, in the order in which they are refused. */
static const struct {
    enum view_option option;
    const char *name, *advice;
} taken[] = {
    {VIEW_TAKES_BLAME, "--blame", ""},
    {VIEW_TAKES_BY, "--by", ""},
    {VIEW_TAKES_LAYOUT, "--layout", ""},
    {VIEW_TAKES_PAGE, "--html", ""},
    {VIEW_TAKES_JSON, "--json", ", or take --view both"},
    {VIEW_TAKES_PATHS, "--json=tree", ", or take --json"},
    {VIEW_TAKES_COLUMNS, "--columns", ", or take '--view functions', whose columns it chooses"},
    {VIEW_TAKES_INCLUSIVE, "--inclusive", ""},
    {VIEW_TAKES_FILTER, "--filter", ""},
    {VIEW_TAKES_FILE, "--file", ""},
    {VIEW_TAKES_CRATE, "--crate", ""},
};

/* Those of them that were given; own code line by line is --by line itself. */
static unsigned options_given(const struct show_settings *s, enum view_id view)
{
    enum group_by usual = view == VIEW_OWN_LINES ? GROUP_LINE : GROUP_FUNCTION;

    return (s->blame ? VIEW_TAKES_BLAME : 0u) | (s->by > (int)usual ? VIEW_TAKES_BY : 0u) |
           (s->layout ? VIEW_TAKES_LAYOUT : 0u) | (s->html ? VIEW_TAKES_PAGE : 0u) |
           (s->json ? VIEW_TAKES_JSON : 0u) | (s->json && *s->json ? VIEW_TAKES_PATHS : 0u) |
           (s->columns ? VIEW_TAKES_COLUMNS : 0u) | (s->inclusive ? VIEW_TAKES_INCLUSIVE : 0u) |
           (s->filter ? VIEW_TAKES_FILTER : 0u) | (s->file ? VIEW_TAKES_FILE : 0u) |
           (s->crate ? VIEW_TAKES_CRATE : 0u);
}

static int check_taken(const struct show_settings *s, enum view_id view)
{
    const struct view_kind *kind = &view_kinds[view];
    unsigned refused = options_given(s, view) & ~kind->takes;

    if (s->parts > VIEW_BOTH && s->parts != (int)view && s->parts != (int)kind->within)
        return message_usage("%s and %s exclude each other: each chooses what is shown", kind->name,
                             view_kinds[s->parts].name);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (refused & taken[i].option)
            return message_usage("%s takes no %s; leave it out%s", kind->name, taken[i].name,
                                 taken[i].advice);
    return 0;
}

int show_check_contradictions(const struct show_settings *settings)
{
    if (settings->percent && settings->counts)
        return message_usage("--percent and --counts exclude each other");
    if (settings->json && *settings->json && strcmp(settings->json, "tree") != 0)
        return message_usage("--json takes no value but 'tree', found '%s'; -o names a file",
                             settings->json);
    if (settings->json && settings->format)
        return message_usage("--json and --format exclude each other");
    if (settings->html && (settings->json || settings->format))
        return message_usage("--html and %s exclude each other",
                             settings->json ? "--json" : "--format");
    if (settings->output && !*settings->output)
        return message_usage("empty file name for --output; name a file, or leave it out for "
                             "standard output");
    return check_taken(settings, show_view(settings));
}

int show_check(const struct show_settings *settings)
{
    struct filters filters = {.has_function = false};
    int status = show_check_contradictions(settings);

    if (status == 0)
        status = filters_compile(&filters, settings);
    filters_free(&filters);
    if (status == 0 && settings->counted && !settings->counted->calls && settings->json &&
        *settings->json)
        status = message_usage("no call paths for --json=tree: they are not counted here");
    if (status == 0 && settings->counted && !settings->counted->calls &&
        show_view(settings) == VIEW_OWN_LINES)
        status = message_usage("no call paths for --blame: they are not counted here");
    if (status == 0)
        status = selection_check(settings);
    if (status == 0 && settings->output)
        status = output_check(settings->output);
    return status;
}

int show_check_view(const struct cprof_profile *p, const struct show_settings *settings)
{
    enum view_id view = settings->layout ? VIEW_DATA : show_view(settings);
    uint32_t type;
    char *source, *lack;
    int status;

    if (view_exists(view, p))
        return settings->layout ? type_part_find(p, settings->layout, &type) : 0;
    source = xasprintf("'%s'", p->source ? p->source : "profile");
    lack = view_lack(view, source);
    status = message_error("%s", lack);
    free(lack);
    free(source);
    return status;
}
