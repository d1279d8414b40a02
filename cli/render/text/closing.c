#include <config.h>

#include "render/text/closing.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "names/crates.h"
#include "names/object_name.h"
#include "render/text/function_table.h"
#include "render/text/run_header.h"
#include "render/text/style.h"
#include "render/text/table_text.h"
#include "render/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Hints ---*/

/* Writes a line, or several where it has to fit. */
static void put_line(const struct function_table *t, FILE *out, const char *line)
{
    style_line(out, t->color, STYLE_DIM, line, t->fixed ? t->width : 0);
}

/* The costs of functions without a name, by object, and their sum. The caller frees them. */
static int64_t *sum_nameless(const struct function_table *t, int64_t *sum)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t *costs = xcalloc(p->n_objects, sizeof *costs);

    *sum = 0;
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_function *f = &p->functions[p->costs[i].function];
        int64_t cost = column_value(t->measure, cprof_cost_values(p, i));

        if (f->object == CPROF_NONE || !is_unnamed(p, f) || cost <= 0)
            continue;
        count_add(sum, cost);
        count_add(&costs[f->object], cost);
    }
    return costs;
}

/* True where a file that ran cannot be read; code made at run time has no file. */
static bool is_missing(const struct function_table *t, uint32_t object)
{
    return t->qualities[object] == NAMES_MISSING &&
           t->rows->profile->objects[object].path[0] != '[';
}

/* The object with the most such cost (CPROF_NONE: none has any); `missing`: only objects whose
 * files cannot be read count. */
static uint32_t find_nameless(const struct function_table *t, const int64_t *costs, bool missing)
{
    uint32_t most = CPROF_NONE;

    for (uint32_t i = 0; i < t->rows->profile->n_objects; i++)
        if (costs[i] > (most == CPROF_NONE ? 0 : costs[most]) && (!missing || is_missing(t, i)))
            most = i;
    return most;
}

static const char *reason(enum name_quality quality)
{
    switch (quality) {
    case NAMES_MISSING:
    case NAMES_KEPT:
        return "is gone or has changed since the run";
    case NAMES_NONE:
        return "has no symbols (stripped)";
    case NAMES_DYNAMIC:
        return "has only the symbols that it exports (stripped)";
    default:
        return "has code without symbols";
    }
}

#define LIBC_PACKAGES "; the package " CRATES_LIBC_PACKAGES " has those of its other functions"

static bool lacks_package(const char *path, enum name_quality quality)
{
    return (quality == NAMES_NONE || quality == NAMES_DYNAMIC) && crates_is_libc(path);
}

/* True for an object that somebody can build anew: the program, and libraries and plugins that lie
 * in no folder of the system. */
static bool is_built_here(const struct cprof_profile *p, const char *path)
{
    static const char *const folders[] = {"/usr/", "/lib", "/opt/", "/nix/", "/snap/"};

    if (is_program(p, path))
        return true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return false;
    return path[0] == '/' && !crates_is_libc(path);
}

/* The most cost without a line that such an object has, at `*object`; 0: none has any. */
static int64_t find_lineless(const struct function_table *t, uint32_t *object)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t *costs = xcalloc(p->n_objects, sizeof *costs), most = 0;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        uint32_t cost_object = p->functions[p->costs[i].function].object;

        if (cost_object != CPROF_NONE && p->costs[i].file == CPROF_NONE)
            count_add(&costs[cost_object], column_value(t->measure, cprof_cost_values(p, i)));
    }
    for (uint32_t i = 0; i < p->n_objects; i++)
        if (costs[i] > most && is_built_here(p, p->objects[i].path)) {
            most = costs[i];
            *object = i;
        }
    free(costs);
    return most;
}

static uint32_t find_program(const struct cprof_profile *p)
{
    uint32_t i = 0;

    while (i < p->n_objects && !is_program(p, p->objects[i].path))
        i++;
    return i;
}

/* "; CARGO_PROFILE_RELEASE_DEBUG=1 cargo build --release -p plugin", for a library that cargo has
 * built where it looks for those of the workspace; else "". The caller frees it. */
static char *cargo_command(const char *path)
{
    static const char folder[] = "/release/lib", end[] = ".so";
    const char *name = strstr(path, folder);
    size_t size = strlen(path), ending = sizeof end - 1;

    name = name ? name + sizeof folder - 1 : NULL;
    if (!name || strchr(name, '/') || size < ending || strcmp(path + size - ending, end) != 0)
        return xstrdup("");
    return xasprintf("; CARGO_PROFILE_RELEASE_DEBUG=1 cargo build --release -p %.*s",
                     (int)(strlen(name) - ending), name);
}

/* Writes the defect of the program's debug information, if it has one. */
static void put_debug_hint(const struct function_table *t, const char *object,
                           enum name_quality quality, FILE *out)
{
    char *path = text_clean(object, t->utf8), *packed = xasprintf("%s.dwp", object);
    char *line = NULL;

    if (quality == NAMES_DAMAGED)
        line =
            xasprintf("the debug information of %s is damaged: functions are those of its symbols "
                      "where it cannot be read",
                      path);
    else if (quality == NAMES_DWZ)
        line = xasprintf(
            "names of inlined functions of %s are incomplete: its debug information refers to "
            "a file (dwz) that is not there",
            path);
    else if (quality == NAMES_SPLIT)
        line = xasprintf("no inlined functions of %s: they are in %s; build with "
                         "split-debuginfo=off",
                         path,
                         access(packed, F_OK) == 0 ? "its .dwp file, which is not read"
                                                   : ".dwo files that are not there");
    else if (quality == NAMES_SHORT)
        line =
            xasprintf("inlined functions of %s have no paths: it was built for line tables only; "
                      "debug=1 has them",
                      path);
    if (line)
        put_line(t, out, line);
    free(line);
    free(path);
    free(packed);
}

/* Counts the other objects with such cost of at least 1 % of the program. */
static unsigned count_others(const struct function_table *t, const int64_t *costs, uint32_t object)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t total = column_value(t->measure, p->totals);
    unsigned n = 0;

    for (uint32_t i = 0; i < p->n_objects; i++)
        n += i != object && costs[i] > 0 && costs[i] >= total / 100;
    return n;
}

/* Writes how much of the cost is in functions without names: in `object`, or most of it there where
 * `others` have some, too. */
static void put_nameless(const struct function_table *t, int64_t cost, uint32_t object,
                         unsigned others, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t total = column_value(t->measure, p->totals);
    bool little = cost < total / 1000;
    char percent[TEXT_NUMBER], *path = text_clean(p->objects[object].path, t->utf8);
    char *measure = text_clean(t->measure->name, t->utf8);
    bool kept = t->qualities[object] == NAMES_MISSING && is_program(p, p->objects[object].path);
    char *more = others ? xasprintf("; %u other object%s names, too", others,
                                    others == 1 ? " lacks" : "s lack")
                        : xstrdup("");
    char *line =
        xasprintf("no names for %s%s %% of %s: %s %s%s%s%s", little ? "under " : "",
                  little ? "0.1" : text_percent(percent, cost, total, 1), measure, path,
                  path[0] == '[' ? "is code made at run time" : reason(t->qualities[object]),
                  lacks_package(path, t->qualities[object]) ? LIBC_PACKAGES : "",
                  kept ? "; run it again, --save-baseline keeps them" : "", more);

    put_line(t, out, line);
    free(line);
    free(more);
    free(path);
    free(measure);
}

/* Writes how much of the cost has no lines. */
static void put_lineless(const struct function_table *t, int64_t cost, uint32_t object, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    enum name_quality quality = t->qualities[object];
    bool gone = quality == NAMES_MISSING || quality == NAMES_KEPT;
    char percent[TEXT_NUMBER], *path = text_clean(p->objects[object].path, t->utf8);
    char *measure = text_clean(t->measure->name, t->utf8);
    char *command = gone ? xstrdup("") : cargo_command(path);
    char *line = xasprintf("no lines for %s %% of %s: %s%s %s%s",
                           text_percent(percent, cost, column_value(t->measure, p->totals), 1),
                           measure, quality >= NAMES_LINES && !gone ? "part of " : "", path,
                           gone ? reason(quality) : "was built without debug information", command);

    put_line(t, out, line);
    free(line);
    free(command);
    free(path);
    free(measure);
}

/* Each hint is a line. A file that is gone is named however little ran in it, since it may have had
 * names. */
static void hints_write(const struct function_table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t nameless, lineless, total = column_value(t->measure, p->totals);
    int64_t *costs = sum_nameless(t, &nameless);
    uint32_t most = find_nameless(t, costs, false), missing = find_nameless(t, costs, true),
             program = find_program(p), object = 0;
    bool many = most != CPROF_NONE && nameless >= total / 100;

    lineless = find_lineless(t, &object);
    if (many)
        put_nameless(t, nameless, most, count_others(t, costs, most), out);
    if (missing != CPROF_NONE && !(many && missing == most))
        put_nameless(t, costs[missing], missing, 0, out);
    if (!many && lineless > 0 && lineless >= total / 100)
        put_lineless(t, lineless, object, out);
    if (program < p->n_objects)
        put_debug_hint(t, p->objects[program].path, t->qualities[program], out);
    free(costs);
}

/*--- The lines ---*/

char *closing_bounds(const struct function_table *t)
{
    unsigned n[BOUND_TOTAL + 1] = {0};
    bool shown = function_table_shows(t, column_is_inclusive);
    bool blame = function_table_shows(t, column_is_note);
    char *least = NULL, *both;

    for (size_t i = 0; i < t->n_shown && (shown || blame); i++)
        n[t->rows->items[i].bound]++;
    if (n[BOUND_LEAST] && blame)
        return xasprintf("%s of these lines may be charged with others' costs: foreign code calls "
                         "itself through your own",
                         TEXT_COUNT(n[BOUND_LEAST]));
    if (n[BOUND_LEAST])
        least = xasprintf("inclusive costs of %s of these %s are lower bounds: %s",
                          TEXT_COUNT(n[BOUND_LEAST]), group_word(t->by, true),
                          t->by == GROUP_FUNCTION
                              ? "they call each other in a circle, or were inlined into such"
                              : "recursion leads through others of them");
    if (!n[BOUND_TOTAL])
        return least;
    both = xasprintf("%s%sinclusive costs of %s of these functions are capped at the total: calls "
                     "overlap in this file (recursion, tail calls)",
                     least ? least : "", least ? "; " : "", TEXT_COUNT(n[BOUND_TOTAL]));
    free(least);
    return both;
}

/* Explains what stands in the column of calls besides numbers; NULL: nothing does. The caller frees
 * it. */
static char *calls_note(const struct function_table *t)
{
    bool shown = function_table_shows(t, column_is_calls), least = false, inlined = false;

    for (size_t i = 0; i < t->n_shown && shown; i++) {
        const struct row *row = &t->rows->items[i];

        least |= row->entered && row->entered_least;
        inlined |= row->inlined && !row_calls(row, row->counts[2 * t->rows->profile->n_events]);
    }
    if (!least && !inlined)
        return NULL;
    return xasprintf("Calls: %s%s%s", least ? "300+ is so many or more" : "",
                     least && inlined ? "; " : "",
                     inlined ? "inlined, it is not known how often" : "");
}

void closing_fitting(struct function_table *t, FILE *out)
{
    struct strbuf names = {.text = NULL};
    char *line;

    for (size_t i = 0; i < t->columns.n; i++)
        if (t->left_out && t->left_out[i])
            strbuf_add_item(&names, ", ", t->columns.items[i]->name);
    line = fit_note(names.text, t->rounded, t->width);
    if (line)
        put_line(t, out, line);
    free(line);
    strbuf_free(&names);
    free(t->left_out);
    t->left_out = NULL;
}

/* Writes how names such as "a'2" are to be read, where one is shown. */
static void put_levels(const struct function_table *t, FILE *out)
{
    for (size_t i = 0; i < t->n_shown; i++) {
        const char *name = t->rows->items[i].name, *mark = strrchr(name, '\'');
        char *line;

        if (t->rows->profile->format != CPROF_FORMAT_CALLGRIND || !mark || mark == name ||
            !mark[1] || mark[1 + strspn(mark + 1, "0123456789")])
            continue;
        line = xasprintf("%s is level %s of recursion, as callgrind tells them apart: calls of the "
                         "function below itself",
                         name, mark + 1);
        put_line(t, out, line);
        free(line);
        return;
    }
}

void closing_write(struct function_table *t, FILE *out)
{
    const struct rows *r = t->rows;
    int64_t total = column_value(t->measure, r->profile->totals);
    char percent[TEXT_NUMBER], *name = text_clean(t->measure->name, t->utf8), *line;
    char *calls = t->by == GROUP_FUNCTION ? calls_note(t) : NULL;
    char *bounds = closing_bounds(t), *lost = totals_lost(r->profile);
    const char *what = group_word(t->by, r->n_all != 1);

    text_percent(percent, rows_sum(r, t->measure, t->n_shown), total, 1);
    if (t->n_shown == r->n_all)
        line = xasprintf("%s %s", TEXT_COUNT(r->n_all), what);
    else if (t->n_shown < r->n)
        line = xasprintf("%s of %s %s%s, %s %% of %s (-n 0 shows all, --sort another column)",
                         TEXT_COUNT(t->n_shown), TEXT_COUNT(r->n), group_word(t->by, r->n != 1),
                         t->filtered ? " that match" : "", percent, name);
    else
        line = xasprintf("%s of %s %s%s, %s %% of %s", TEXT_COUNT(t->n_shown), TEXT_COUNT(r->n_all),
                         what,
                         !t->filtered    ? ""
                         : r->n_all == 1 ? " matches"
                                         : " match",
                         percent, name);
    put_line(t, out, line);
    closing_fitting(t, out);
    if (bounds)
        put_line(t, out, bounds);
    if (calls)
        put_line(t, out, calls);
    if (r->profile->exit == CPROF_EXIT_SIGNAL)
        put_line(t, out, TEXT_ENDED);
    if (lost)
        put_line(t, out, lost);
    put_levels(t, out);
    if (t->qualities && total > 0)
        hints_write(t, out);
    free(bounds);
    free(calls);
    free(lost);
    free(line);
    free(name);
}
