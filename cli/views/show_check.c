#include <config.h>

#include "views/show_check.h"

#include "base/message.h"
#include "base/output.h"
#include "options/column_selection.h"
#include "options/filters.h"
#include "table/groups.h"
#include "table/heap.h"
#include "views/html_output.h"
#include "views/show.h"
#include "views/type_part.h"

#include <string.h>

int show_check_contradictions(const struct show_settings *settings)
{
    static const char *const beside[] = {[SHOW_OWN] = "",
                                         [SHOW_SECTIONS] = ", and sections beside them",
                                         [SHOW_ARGS] = ", and arguments beside them",
                                         [SHOW_HEAP] = ", and the heap's columns",
                                         [SHOW_DATA] = ", and data beside them",
                                         [SHOW_LINES] = ", and the use of lines beside them",
                                         [SHOW_CURVES] = ", and miss curves beside them"};

    if (settings->percent && settings->counts)
        return message_usage("--percent and --counts exclude each other");
    if (settings->json && *settings->json && strcmp(settings->json, "tree") != 0)
        return message_usage("--json takes no value but 'tree', found '%s'; -o names a file",
                             settings->json);
    if (settings->json && settings->format)
        return message_usage("--json and --format exclude each other");
    if (settings->blame &&
        (settings->by != GROUP_FUNCTION || settings->columns || settings->inclusive))
        return message_usage("--blame has rows and columns of its own; leave --by, --columns and "
                             "--inclusive out");
    if (settings->blame && settings->json && *settings->json)
        return message_usage("--json=tree has functions; leave --blame out");
    if (settings->parts > SHOW_BOTH &&
        (settings->html || settings->blame || settings->by != GROUP_FUNCTION))
        return message_usage("--view is for tables of functions; leave %s out",
                             settings->html    ? "--html"
                             : settings->blame ? "--blame"
                                               : "--by");
    if (settings->parts > SHOW_BOTH && settings->parts != SHOW_FUNCTIONS && settings->json)
        return message_usage("--json has functions%s; take --view both, or functions alone",
                             beside[settings->parts]);
    if (settings->columns &&
        (settings->layout || settings->parts == SHOW_OWN || settings->parts >= SHOW_SECTIONS))
        return message_usage("%s%s has columns of its own; leave --columns out, or take '--view "
                             "functions', whose columns it chooses",
                             settings->layout ? "--layout" : "--view ",
                             settings->layout ? "" : show_parts_known[settings->parts]);
    if (settings->layout && settings->parts != SHOW_UNSAID && settings->parts != SHOW_DATA)
        return message_usage("--layout shows data; leave --view out");
    if (settings->layout && (settings->html || settings->blame || settings->by != GROUP_FUNCTION))
        return message_usage("--layout shows a type of data; leave %s out",
                             settings->html    ? "--html"
                             : settings->blame ? "--blame"
                                               : "--by");
    if (settings->filter &&
        (settings->layout || settings->parts == SHOW_SECTIONS || settings->parts == SHOW_ARGS))
        return message_usage("--filter is for functions and data; leave it out with %s",
                             settings->layout                   ? "--layout"
                             : settings->parts == SHOW_SECTIONS ? "--view sections"
                                                                : "--view args");
    if (settings->parts > SHOW_FUNCTIONS && (settings->file || settings->crate))
        return message_usage("--%s is for tables of functions of the whole program; take --filter, "
                             "or leave --view out",
                             settings->file ? "file" : "crate");
    if (settings->by == GROUP_CRATE && settings->file)
        return message_usage("--file knows no crates; take --filter with --by crate");
    if (settings->by == GROUP_OBJECT && settings->crate)
        return message_usage("--crate excludes --by object: an object holds several crates");
    if (settings->by != GROUP_FUNCTION && settings->json && *settings->json)
        return message_usage("--json=tree has functions; leave --by out");
    if (html_check(settings) != 0)
        return STATUS_USAGE;
    if (settings->output && !*settings->output)
        return message_usage("empty file name for --output; name a file, or leave it out for "
                             "standard output");
    return 0;
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
    if (status == 0 && settings->counted && !settings->counted->calls && settings->blame)
        status = message_usage("no call paths for --blame: they are not counted here");
    if (status == 0)
        status = selection_check(settings);
    if (status == 0 && settings->output)
        status = output_check(settings->output);
    return status;
}

int show_check_view(const struct cprof_profile *p, const struct show_settings *settings)
{
    const char *source = p->source ? p->source : "profile";
    uint32_t type;

    if (settings->parts == SHOW_SECTIONS && !p->n_sections)
        return message_error("no sections in '%s'; the program names them, by the crate cprof or "
                             "cprof-sections.h",
                             source);
    if (settings->parts == SHOW_ARGS && !p->n_counted_args)
        return message_error("no arguments in '%s'; 'cargo cprof callgrind --count-arg "
                             "FUNCTION=N' counts them",
                             source);
    if (settings->parts == SHOW_HEAP && !heap_is_counted(p))
        return message_error("nothing of the heap in '%s'; 'cargo cprof heap' counts it", source);
    if ((settings->parts == SHOW_DATA || settings->layout) && !p->has_data)
        return message_error("no data in '%s'; 'cargo cprof data' says which data misses", source);
    if (settings->parts == SHOW_LINES && !p->has_line_use)
        return message_error("the use of lines was not counted in '%s'; 'cargo cprof cachegrind "
                             "--line-use' does so",
                             source);
    if (settings->parts == SHOW_CURVES && !p->n_curve_sizes)
        return message_error("no miss curves in '%s'; 'cargo cprof cachegrind --miss-curves' finds "
                             "them",
                             source);
    return settings->layout ? type_part_find(p, settings->layout, &type) : 0;
}
