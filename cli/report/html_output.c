#include <config.h>

#include "report/html_output.h"

#include "base/count.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "render/html/html.h"
#include "report/flame_output.h"
#include "report/sources.h"
#include "table/blame.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SOURCES_MAX = 20,  /* functions whose source is shown */
    SOURCES_OPEN = 3,  /* of these are unfolded */
    REGIONS_MAX = 12,  /* of a function */
    REGION_CONTEXT = 3 /* lines around those with costs */
};
/* Percent: of the program from which on a function's source is shown, and of the function from
 * which on a line is. */
static const double source_least = 0.5, line_least = 1;

int html_check(const struct show_settings *settings)
{
    if (!settings->html)
        return 0;
    if (settings->json || settings->format)
        return message_usage("--html and %s exclude each other",
                             settings->json ? "--json" : "--format");
    if (!settings->output && isatty(STDOUT_FILENO))
        return message_usage("a page is not for a terminal; name a file with -o: '--html -o "
                             "report.html'");
    return 0;
}

static int finish(FILE *out)
{
    return html_end(out) ? output_failed(out) : 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static const char *title_of(const struct cprof_profile *p, const char *program)
{
    return base_name(program ? program : p->program ? p->program : p->source ? p->source : "");
}

/*--- Flame graph ---*/

static int write_flame(const struct flame_subject *subject, const char *measure, FILE *out)
{
    struct flame_settings flame = {.measure = measure, .in_page = true};
    int status;

    html_section(out, HTML_FLAME);
    fputs("<div class=\"wide\">\n", out);
    status = flame_write(subject, &flame, out);
    fputs("</div>\n", out);
    html_section_end(out);
    return status;
}

/*--- Source ---*/

/* The cost that each row's function is charged with, by index in the profile: own code with that of
 * other code for it (blame.h), other code with its own. The caller frees it. */
static int64_t *charged_of(const struct table *t, const struct crates *crates)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t *charged = xcalloc(p->n_functions, sizeof *charged);
    struct rows lines;
    struct blame blame;

    for (size_t r = 0; r < t->n_shown; r++)
        charged[t->rows->items[r].function] = column_value(t->measure, t->rows->items[r].counts);
    if (!crates || !p->n_contexts)
        return charged;
    blame_load(&blame, &lines, p, crates, NULL);
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (crates_of(crates, i)->kind == CRATE_OWN)
            charged[i] = 0;
    for (size_t i = 0; i < lines.n; i++) {
        int64_t value = column_value(t->measure, lines.items[i].counts);

        if (lines.items[i].function != CPROF_NONE)
            counts_add(&charged[lines.items[i].function], &value, 1);
    }
    blame_free(&blame);
    rows_free(&lines);
    return charged;
}

/* The rows whose lines are charged most, of those that are shown, greatest first. Returns how many.
 */
static size_t find_hot(const struct table *t, const struct crates *crates,
                       const struct row *hot[SOURCES_MAX])
{
    double least = (double)column_value(t->measure, t->rows->totals) * source_least / 100;
    int64_t *charged = charged_of(t, crates);
    size_t n = 0;

    for (size_t r = 0; r < t->n_shown; r++) {
        const struct row *row = &t->rows->items[r];
        int64_t value = charged[row->function];
        size_t at = n;

        if (value <= 0 || (double)value < least)
            continue;
        while (at && charged[hot[at - 1]->function] < value)
            at--;
        if (at == SOURCES_MAX)
            continue;
        n += n < SOURCES_MAX;
        memmove(&hot[at + 1], &hot[at], (n - 1 - at) * sizeof(struct row *));
        hot[at] = row;
    }
    free(charged);
    return n;
}

/* The function's share of the program, in percent: with callees, where they are known. */
static double share_of(const struct table *t, const struct annotation *a)
{
    double all = (double)column_value(t->measure, t->rows->totals);
    uint32_t with = a->callees == CALLEES_NONE ? 0 : a->profile->n_events;

    return all > 0 ? 100 * (double)column_value(t->measure, a->own + with) / all : 0;
}

static void write_source(const struct table *t, const struct row *row, struct source_finder *finder,
                         bool open, FILE *out)
{
    bool *functions = annotation_functions(t->rows->profile, row);
    struct annotation_subject subject = {.functions = functions, .callees = true};
    struct annotation_view view = {
        .measure = t->measure, .context = REGION_CONTEXT, .limit = REGIONS_MAX};
    struct annotation annotation;
    struct html_source source = {.annotation = &annotation,
                                 .finder = finder,
                                 .view = &view,
                                 .table = t,
                                 .row = row,
                                 .open = open};

    annotation_load(&annotation, t->rows->profile, &subject, t->measure);
    view.threshold = line_least * share_of(t, &annotation) / 100;
    html_source(&source, out);
    annotation_free(&annotation);
    free(functions);
}

static void write_sources(const struct table *t, const struct row *const *hot, size_t n, FILE *out)
{
    char *root = sources_root(), *note;
    struct source_finder finder = {.root = root, .program = t->rows->profile->program};

    html_section(out, HTML_SOURCE);
    note = xasprintf("The %s function%s that cost most, own code with what other code cost for it: "
                     "lines from %g %% of each on",
                     TEXT_COUNT(n), n == 1 ? "" : "s", line_least);
    html_note(out, note);
    for (size_t i = 0; i < n; i++)
        write_source(t, hot[i], &finder, i < SOURCES_OPEN, out);
    html_section_end(out);
    source_finder_free(&finder);
    free(note);
    free(root);
}

/*--- The pages ---*/

int html_report(const struct table *t, const struct crates *crates, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    const char *title = title_of(p, t->program);
    const struct row *hot[SOURCES_MAX];
    size_t n = t->by == GROUP_FUNCTION ? find_hot(t, crates, hot) : 0;
    bool *linked = xcalloc(p->n_functions, sizeof *linked),
         flame = flame_is_known(p, t->measure->name);
    int status = 0;

    for (size_t i = 0; i < n; i++)
        linked[hot[i]->function] = true;
    html_begin(out, title, NULL,
               HTML_COSTS | (flame ? (unsigned)HTML_FLAME : 0) | (n ? (unsigned)HTML_SOURCE : 0));
    html_summary(t, out);
    html_section(out, HTML_COSTS);
    html_functions(t, n ? linked : NULL, out);
    html_section_end(out);
    if (flame)
        status = write_flame(&(struct flame_subject){p, NULL, crates, t->program}, t->measure->name,
                             out);
    if (status == 0 && n)
        write_sources(t, hot, n, out);
    free(linked);
    return status ? status : finish(out);
}

int html_report_diff(const struct diff_view *v, FILE *out)
{
    const struct cprof_profile *old = v->diff->profile[DIFF_OLD];
    const struct cprof_profile *new = v->diff->profile[DIFF_NEW];
    const struct column *measure = &v->columns->items[v->sort->self];
    bool flame = flame_is_known(old, measure->name) && flame_is_known(new, measure->name);
    int status = 0;

    html_begin(out, title_of(new, NULL), old->source ? base_name(old->source) : "the old profile",
               HTML_COSTS | (flame ? (unsigned)HTML_FLAME : 0));
    html_diff_summary(v, out);
    html_section(out, HTML_COSTS);
    html_diff_functions(v, out);
    html_section_end(out);
    if (flame)
        status = write_flame(&(struct flame_subject){new, old, NULL, NULL}, measure->name, out);
    return status ? status : finish(out);
}
