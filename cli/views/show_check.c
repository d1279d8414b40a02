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

/* The options of which the view takes some. */
static int check_taken(const struct show_settings *s, enum view_id view)
{
    const struct view_kind *kind = &view_kinds[view];
    const struct {
        enum view_option option;
        bool given;
        const char *name, *advice;
    } options[] = {
        {VIEW_TAKES_BLAME, s->blame, "--blame", ""},
        {VIEW_TAKES_BY, s->by != GROUP_FUNCTION && view != VIEW_OWN_LINES, "--by", ""},
        {VIEW_TAKES_BY, s->by > GROUP_LINE && view == VIEW_OWN_LINES, "--by", ""},
        {VIEW_TAKES_LAYOUT, s->layout != NULL, "--layout", ""},
        {VIEW_TAKES_PAGE, s->html, "--html", ""},
        {VIEW_TAKES_JSON, s->json != NULL, "--json", ", or take --view both"},
        {VIEW_TAKES_PATHS, s->json && *s->json, "--json=tree", ", or take --json"},
        {VIEW_TAKES_COLUMNS, s->columns != NULL, "--columns",
         ", or take '--view functions', whose columns it chooses"},
        {VIEW_TAKES_INCLUSIVE, s->inclusive, "--inclusive", ""},
        {VIEW_TAKES_FILTER, s->filter != NULL, "--filter", ""},
        {VIEW_TAKES_FILE, s->file != NULL, "--file", ""},
        {VIEW_TAKES_CRATE, s->crate != NULL, "--crate", ""},
    };

    if (s->parts > VIEW_BOTH && (enum view_id)s->parts != view &&
        (enum view_id)s->parts != kind->within)
        return message_usage("%s and %s exclude each other: each chooses what is shown", kind->name,
                             view_kinds[s->parts].name);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !(kind->takes & options[i].option))
            return message_usage("%s takes no %s; leave it out%s", kind->name, options[i].name,
                                 options[i].advice);
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
    enum view_id view = settings->layout ? VIEW_LAYOUT : show_view(settings);
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
