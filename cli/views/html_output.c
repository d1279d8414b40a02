#include <config.h>

#include "views/html_output.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/sort.h"
#include "profiles/sources.h"
#include "render/html/html.h"
#include "render/text/run_header.h"
#include "views/flame_output.h"

#include <stdlib.h>
#include <sys/utsname.h>

enum {
    SOURCES_MAX = 20,  /* functions whose source is shown */
    SOURCES_OPEN = 3,  /* of these are unfolded */
    REGIONS_MAX = 12,  /* of a function */
    REGION_CONTEXT = 3 /* lines around those with costs */
};
/* Percent: of the program from which on a function's source is shown, and of the function from
 * which on a line is. */
static const double source_least = 0.5, line_least = 1;

static int finish(FILE *out)
{
    return html_end(out) ? output_failed(out) : 0;
}

static const char *title_of(const struct cprof_profile *p, const char *program)
{
    return path_base(program ? program : p->program ? p->program : p->source ? p->source : "");
}

/*--- Flame graph ---*/

static int write_flame(const struct flame_subject *subject, const struct flame_settings *flame,
                       FILE *out)
{
    int status;

    html_section(out, HTML_FLAME, true);
    fputs("<div class=\"wide\">\n", out);
    status = flame_write(subject, flame, out);
    fputs("</div>\n", out);
    html_section_end(out);
    return status;
}

/*--- Source ---*/

/* The functions whose source is shown. */
struct sources {
    const struct function_table *table;
    struct source_finder finder;
    bool *linked; /* by function: its source is shown */
    size_t n;
    char *panels[SOURCES_MAX]; /* HTML */
};

/* The function's share of the program, in percent: with callees, where they are known. */
static double share_of(const struct function_table *t, const struct annotation *a)
{
    double all = (double)column_value(t->measure, t->rows->totals);
    uint32_t with = a->callees == CALLEES_NONE ? 0 : a->profile->n_events;

    return all > 0 ? 100 * (double)column_value(t->measure, a->own + with) / all : 0;
}

/* Makes the panel of a row, with its cost or what it is charged with; NULL where its source is not
 * known. The caller frees it. */
static char *make_panel(struct sources *s, const struct row *row, int64_t value, bool open)
{
    const struct function_table *t = s->table;
    bool *functions = annotation_functions(t->rows->profile, row);
    struct annotation_subject subject = {.functions = functions, .callees = true};
    struct annotation_view view = {
        .measure = t->measure, .context = REGION_CONTEXT, .limit = REGIONS_MAX};
    struct annotation annotation;
    struct html_source source = {.annotation = &annotation,
                                 .finder = &s->finder,
                                 .view = &view,
                                 .table = t,
                                 .row = row,
                                 .value = value,
                                 .open = open};
    char *panel = NULL;
    size_t size;

    annotation_load(&annotation, t->rows->profile, &subject, t->measure);
    view.threshold = line_least * share_of(t, &annotation) / 100;
    if (html_source_is_known(&source)) {
        FILE *out = open_memstream(&panel, &size);

        if (!out)
            memory_die();
        html_source(&source, out);
        if (fclose(out) != 0)
            memory_die();
    }
    annotation_free(&annotation);
    free(functions);
    return panel;
}

/* Adds a function where it costs enough and its source is known. */
static void add_source(struct sources *s, const struct row *row, int64_t value)
{
    const struct function_table *t = s->table;
    double least = (double)column_value(t->measure, t->rows->totals) * source_least / 100;
    char *panel;

    if (s->n == SOURCES_MAX || value <= 0 || (double)value < least || s->linked[row->function])
        return;
    panel = make_panel(s, row, value, s->n < SOURCES_OPEN);
    if (!panel)
        return;
    s->linked[row->function] = true;
    s->panels[s->n++] = panel;
}

/* A row that may be shown. */
struct candidate {
    const struct row *row;
    int64_t value;
};

static int by_value(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->row->function > y->row->function) - (x->row->function < y->row->function);
}

/* Finds the functions whose source is shown: own code first, by what it is charged with, then those
 * of the table's rows that cost most themselves. */
static void find_sources(struct sources *s, const struct own *own)
{
    const struct function_table *t = s->table;
    struct candidate *rest = xcalloc(t->n_shown + 1, sizeof *rest);

    for (size_t i = 0; own && i < own->n; i++)
        add_source(s, &own->items[i].row, column_value(t->measure, own->items[i].charged));
    for (size_t r = 0; r < t->n_shown; r++)
        rest[r] = (struct candidate){&t->rows->items[r],
                                     column_value(t->measure, t->rows->items[r].counts)};
    sort_items(rest, t->n_shown, sizeof *rest, by_value);
    for (size_t r = 0; r < t->n_shown; r++)
        add_source(s, rest[r].row, rest[r].value);
    free(rest);
}

static void write_sources(struct sources *s, FILE *out)
{
    char *note =
        xasprintf("The %s function%s that cost%s most, own code with what other code cost for it: "
                  "lines from %g %% of each on",
                  TEXT_COUNT(s->n), s->n == 1 ? "" : "s", s->n == 1 ? "s" : "", line_least);

    html_section(out, HTML_SOURCE, true);
    html_note(out, note);
    for (size_t i = 0; i < s->n; i++) {
        fputs(s->panels[i], out);
        free(s->panels[i]);
    }
    s->n = 0;
    html_section_end(out);
    free(note);
}

/*--- The pages ---*/

/* "Linux x86_64": only what the counts depend on. The caller frees it. */
static char *machine_text(void)
{
    struct utsname names;

    return uname(&names) ? NULL : xasprintf("%s %s", names.sysname, names.machine);
}

static void write_times(const struct table *tables, FILE *out)
{
    if (!tables)
        return;
    html_section(out, HTML_TIME, true);
    for (size_t i = 0; i < HTML_TIMES; i++)
        if (tables[i].heading)
            html_table(&tables[i], true, out);
    html_section_end(out);
}

/* True where a view has a part of the page. */
static bool has_part(const struct cprof_profile *p, enum view_id view)
{
    return view_forms[view] && view_kinds[view].heading && view_exists(view, p) &&
           !view_is_within(view, p);
}

/* The parts of the page as bits. */
static unsigned parts_of(const struct html_subject *subject, bool flame, bool source)
{
    unsigned parts = HTML_BIT(HTML_COSTS) | (subject->own ? HTML_BIT(HTML_OWN) : 0) |
                     (subject->time ? HTML_BIT(HTML_TIME) : 0) |
                     (flame ? HTML_BIT(HTML_FLAME) | HTML_BIT(HTML_SANDWICH) : 0) |
                     (source ? HTML_BIT(HTML_SOURCE) : 0);

    for (enum view_id view = 0; view < N_VIEWS; view++)
        if (has_part(subject->views->profile, view))
            parts |= HTML_BIT(HTML_VIEWS + view);
    return parts;
}

static int write_report(const struct html_subject *subject, struct sources *s, FILE *out)
{
    const struct function_table *t = subject->table;
    const struct cprof_profile *p = t->rows->profile;
    const bool *linked = s->n ? s->linked : NULL;
    bool flame = flame_is_known(p, t->measure->name), functions = t->by == GROUP_FUNCTION;
    char *machine = subject->here ? machine_text() : NULL, *part = part_heading_text(p);
    int status = 0;
    const struct html_page page = {.title = title_of(p, t->program),
                                   .part = part,
                                   .parts = parts_of(subject, flame, s->n > 0),
                                   .functions = functions,
                                   .command = subject->command,
                                   .when = subject->when,
                                   .machine = machine};

    html_begin(out, &page);
    html_summary(t, subject->views->crates, subject->own, linked, out);
    write_times(subject->time, out);
    if (subject->own) {
        html_section(out, HTML_OWN, functions);
        html_own(t, subject->own, linked, out);
        html_section_end(out);
    }
    html_section(out, HTML_COSTS, functions);
    html_functions(t, linked, out);
    html_section_end(out);
    for (enum view_id view = 0; view < N_VIEWS; view++)
        if (has_part(p, view))
            view_write_page(view, subject->views, t, out);
    if (flame) {
        status = write_flame(&(struct flame_subject){p, NULL, subject->views->crates, t->program},
                             &(struct flame_settings){.measure = t->measure->name,
                                                      .in_page = true,
                                                      .full_paths = subject->full_paths,
                                                      .threads = subject->threads},
                             out);
        html_section(out, HTML_SANDWICH, functions);
        html_section_end(out);
    }
    if (status == 0 && s->n)
        write_sources(s, out);
    free(machine);
    free(part);
    return status ? status : finish(out);
}

int html_report(const struct html_subject *subject, FILE *out)
{
    const struct function_table *t = subject->table;
    char *root = source_root();
    struct sources s = {.table = t,
                        .finder = {.root = root, .program = t->rows->profile->program},
                        .linked = xcalloc(t->rows->profile->n_functions, sizeof *s.linked)};
    int status;

    if (t->by == GROUP_FUNCTION)
        find_sources(&s, subject->own);
    status = write_report(subject, &s, out);
    sources_say(&s.finder, t->rows->profile);
    for (size_t i = 0; i < s.n; i++)
        free(s.panels[i]);
    source_finder_free(&s.finder);
    free(s.linked);
    free(root);
    return status;
}

int html_report_diff(const struct diff_view *v, FILE *out)
{
    const struct cprof_profile *old = v->diff->profile[DIFF_OLD];
    const struct cprof_profile *new = v->diff->profile[DIFF_NEW];
    const struct column *measure = &v->columns->items[v->sort->self];
    bool flame = flame_is_known(old, measure->name) && flame_is_known(new, measure->name);
    const struct html_page page = {
        .title = title_of(new, NULL),
        .than = old->source ? path_base(old->source) : "the old profile",
        .parts = HTML_BIT(HTML_COSTS) | (flame ? HTML_BIT(HTML_FLAME) : 0) |
                 (v->own ? HTML_BIT(HTML_OWN) : 0) | (v->n_why ? HTML_BIT(HTML_WHY) : 0),
        .functions = true};
    int status = 0;

    html_begin(out, &page);
    html_diff_summary(v, out);
    if (v->n_why) {
        html_section(out, HTML_WHY, true);
        html_diff_why(v, out);
        html_section_end(out);
    }
    if (v->own) {
        html_section(out, HTML_OWN, true);
        html_diff_own(v, out);
        html_section_end(out);
    }
    html_section(out, HTML_COSTS, true);
    html_diff_functions(v, out);
    html_section_end(out);
    if (flame)
        status =
            write_flame(&(struct flame_subject){new, old, NULL, NULL},
                        &(struct flame_settings){.measure = measure->name, .in_page = true}, out);
    return status ? status : finish(out);
}
