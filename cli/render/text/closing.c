#include <config.h>

#include "render/text/closing.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "render/text/fit.h"
#include "render/text/hints.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "render/text/totals.h"

#include <stdlib.h>
#include <string.h>

/* Writes a line, or several where it has to fit. */
static void put_line(const struct function_table *t, FILE *out, const char *line)
{
    style_line(out, t->color, STYLE_DIM, line, t->fixed ? t->width : 0);
}

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
