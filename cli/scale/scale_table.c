#include <config.h>

#include "scale/scale_table.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "names/location.h"
#include "render/text/text.h"
#include "table/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- Numbers ---*/

char *scale_count_text(char buffer[TEXT_NUMBER], long double count)
{
    if (isnan(count))
        return strcpy(buffer, "-");
    if (isinf(count))
        return strcpy(buffer, "more than 1e4000");
    if (count < 9e18L)
        return text_count_short(buffer, (int64_t)llroundl(count));
    snprintf(buffer, TEXT_NUMBER, "%.3Lg", count);
    return buffer;
}

/* "0.04 %", "exact", "n = 2 k, in phase". The caller frees it. */
static char *residual_text(const struct series_item *item)
{
    const struct growth *fit = &item->fit;

    if (fit->kind == GROWTH_NONE)
        return xstrdup("-");
    if (fit->exact)
        return xstrdup("exact");
    if (fit->residual < 1e-8)
        return xstrdup(fit->kind == GROWTH_EXPONENTIAL ? "-" : "0 %");
    return xasprintf("%.2g %%", 100 * fit->residual);
}

static struct cell share_cell(double share)
{
    return isnan(share) ? cell_unknown() : cell_real(100 * share, 1);
}

/*--- Columns ---*/

static bool is_own(const struct scale_table *t)
{
    return !strcmp(t->series->list, "own");
}

/* Behind COUNT: the count at each size. */
enum column_id { GROWTH, CALLS, SLOPE, RESIDUAL, AHEAD, AHEAD_MORE, NAME, PLACE, FIT, COUNT };

/* More calls, or more work in each: the growth of their number. The caller frees it; NULL: nobody
 * knows how many there are. */
static char *calls_text(const struct series *s, const struct series_item *item)
{
    const struct column *calls = columns_find(&s->columns, "Calls");
    struct growth fit;

    if (!calls || !series_value(s, item, calls, s->sizes.n - 1))
        return NULL;
    series_grow(s, item, calls, &fit);
    return growth_text(&fit);
}

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct scale_table *t = subject;
    const struct series_item *item = row;

    if (c->id >= COUNT)
        return cell_count(
            series_value(t->series, item, t->series->measure, (size_t)(c->id - COUNT)));
    switch ((enum column_id)c->id) {
    case CALLS:
        return cell_take(calls_text(t->series, item));
    case GROWTH:
        return cell_take(growth_text(&item->fit));
    case SLOPE:
        return cell_real(item->fit.slope, 2);
    case RESIDUAL:
        return cell_take(residual_text(item));
    case AHEAD:
    case AHEAD_MORE:
        return share_cell(item->ahead[c->id - AHEAD].share);
    case NAME:
        return cell_text(item->name);
    case PLACE:
        return cell_place(location_text(item->file, item->line, item->object, t->root), item->file);
    default:
        return cell_take(growth_formula(&item->fit));
    }
}

/* The count at the largest size, or at each. */
static void add_counts(struct table *table, const struct scale_table *t)
{
    const struct series *s = t->series;

    for (size_t i = t->all_sizes ? 0 : s->sizes.n - 1; i < s->sizes.n; i++) {
        char *heading = xasprintf("%s at %s", s->measure->header, TEXT_COUNT(s->sizes.items[i]));

        table_column(table, &(struct table_column){heading, TABLE_COUNT, .cell = cell_of,
                                                   .id = COUNT + (int)i});
        free(heading);
    }
}

static void add_columns(struct table *table, const struct scale_table *t)
{
    const struct table_column columns[] = {
        {"Growth", TABLE_VALUE, .cell = cell_of, .id = GROWTH},
        {"Calls", TABLE_VALUE, .spare = 5, .cell = cell_of, .id = CALLS},
        {"Slope", TABLE_VALUE, .spare = 2, .cell = cell_of, .id = SLOPE},
        {"Residual", TABLE_VALUE, .spare = 4, .cell = cell_of, .id = RESIDUAL},
        {"% at 10x", TABLE_SHARE, .cell = cell_of, .id = AHEAD},
        {"% at 100x", TABLE_SHARE, .cell = cell_of, .id = AHEAD_MORE},
        {"Function", TABLE_NAME, .cell = cell_of, .id = NAME, .names_sums = true},
        {is_own(t) ? "Costliest line" : "Location", TABLE_PLACE, .spare = 3, .cell = cell_of,
         .id = PLACE},
        {"Fit", TABLE_NOTE, .spare = 1, .cell = cell_of, .id = FIT}};

    add_counts(table, t);
    table_columns(table, columns, sizeof columns / sizeof *columns);
}

/*--- Sentences ---*/

enum { NAMED = 3 /* functions in a sentence */ };
#define SHARE_NAMED 0.01

/* The part of the program's count at the largest size. */
static double share_now(const struct series *s, const struct series_item *item)
{
    int64_t total = column_value(s->measure, s->totals + (s->sizes.n - 1) * s->width);

    return total ? (double)series_value(s, item, s->measure, s->sizes.n - 1) / (double)total : 0;
}

/* Nothing is foretold of it, and it costs much. */
static bool is_unknown(const struct series *s, const struct series_item *item)
{
    return item->fit.kind == GROWTH_NONE && !item->is_small && share_now(s, item) >= SHARE_NAMED;
}

/* The part of all such functions. */
static double unknown_now(const struct series *s)
{
    double share = 0;

    for (size_t i = 0; i < s->n; i++)
        share += is_unknown(s, &s->items[i]) ? share_now(s, &s->items[i]) : 0;
    return share;
}

/* The item with the greatest share, of those that are not among the `n` that were chosen. */
static const struct series_item *most_at(const struct series *s, int ahead,
                                         const struct series_item *const *chosen, int n)
{
    const struct series_item *most = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct series_item *item = &s->items[i];
        bool is_chosen = false;

        for (int k = 0; k < n; k++)
            is_chosen |= chosen[k] == item;
        if (!item->is_small && !is_chosen && item->ahead[ahead].share >= SHARE_NAMED &&
            (!most || item->ahead[ahead].share > most->ahead[ahead].share))
            most = item;
    }
    return most;
}

/* "at 10 times the largest size (n = 640,000): 91.2 % a::f (n^2), 7.1 % b (n)". Of infinite counts
 * there are no shares; NULL then. The caller frees it. */
static char *ahead_text(const struct series *s, int ahead)
{
    const struct series_item *chosen[NAMED];
    struct strbuf text = {.text = NULL};
    int n = 0;

    while (n < NAMED && (chosen[n] = most_at(s, ahead, chosen, n)))
        n++;
    if (!n)
        return NULL;
    strbuf_addf(&text, "at %d times (n = %s)%s:", series_times[ahead],
                TEXT_COUNT(s->sizes.items[s->sizes.n - 1] * series_times[ahead]),
                unknown_now(s) > 0 ? ", of the rest" : "");
    for (int i = 0; i < n; i++) {
        char *growth = growth_text(&chosen[i]->fit);

        strbuf_addf(&text, "%s %.1f %% %s (%s)", i ? "," : "", 100 * chosen[i]->ahead[ahead].share,
                    chosen[i]->name, growth);
        free(growth);
    }
    return strbuf_take(&text);
}

/* "nothing is foretold of a::f (75.0 % now), ...": what is foretold is without it. NULL: there is
 * no such function that costs much. The caller frees it. */
static char *unknown_text(const struct series *s)
{
    struct strbuf text = {.text = NULL};
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        const struct series_item *item = &s->items[i];

        if (!is_unknown(s, item) || n++ >= NAMED)
            continue;
        strbuf_addf(&text, "%s %s (%.1f %% now)", n > 1 ? "," : "nothing is foretold of",
                    item->name, 100 * share_now(s, item));
    }
    if (n > NAMED)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(n - NAMED));
    if (n)
        strbuf_add(&text, ": counts are irregular, or begin at large sizes; more sizes tell");
    return text.text;
}

static char *heading_of(const struct scale_table *t)
{
    return xstrdup(is_own(t) ? "Own code: growth of its functions, with other code that they called"
                             : "Functions: growth of their own cost");
}

/* "168,735,545 Ir at n = 64,000, growing as n^2; foretold are ...": above all tables. */
char *scale_totals_text(const struct series *s)
{
    const struct sizes *sizes = &s->sizes;
    char next[TEXT_NUMBER], last[TEXT_NUMBER];
    int64_t total = column_value(s->measure, s->totals + (sizes->n - 1) * s->width);
    double unknown = unknown_now(s);
    char *without = unknown > 0 ? xasprintf(" without %.1f %% of it", 100 * unknown) : xstrdup("");
    struct strbuf text = {.text = NULL};

    strbuf_addf(&text, "%s sizes, n = %s to %s; %s %s at the largest, with a slope of %.2f",
                TEXT_COUNT(sizes->n), TEXT_COUNT(sizes->items[0]),
                TEXT_COUNT(sizes->items[sizes->n - 1]), TEXT_COUNT(total), s->measure->header,
                s->total_fit.slope);
    if (!column_is_inclusive(s->measure))
        strbuf_addf(&text, "; foretold%s are %s at 10 times and %s at 100 times", without,
                    scale_count_text(next, s->ahead[0].count),
                    scale_count_text(last, s->ahead[1].count));
    free(without);
    return strbuf_take(&text);
}

static void add_limit(struct strbuf *text, const char *sentence)
{
    strbuf_add_item(text, "; ", sentence);
}

/* "the program ended with status 1 at n = 20, 2 at n = 30"; nothing where all are 0. */
static void add_statuses(struct strbuf *text, const struct series *s)
{
    for (size_t i = 0; i < s->sizes.n; i++)
        if (s->statuses[i])
            strbuf_addf(text, "%s %d at n = %s", text->size ? "," : "the program ended with status",
                        s->statuses[i], TEXT_COUNT(s->sizes.items[i]));
}

/* The share of copies that is much where they come to cost 32 times as much. */
#define COPIES_LEAST 0.002

char *scale_limits_text(const struct series *s)
{
    struct strbuf text = {.text = NULL};
    double copies = 0;
    bool steps = false;

    for (size_t i = 0; i < s->n; i++) {
        steps |= s->items[i].fit.steps && s->items[i].ahead[0].share >= 0.01;
        if (s->items[i].jumps && s->items[i].ahead[0].share > 0)
            copies += s->items[i].ahead[0].share;
    }
    add_statuses(&text, s);
    if (s->in_phase)
        add_limit(&text, "all sizes double, which hides growth in steps: add sizes between, as "
                         "1.5 and 3 times the first");
    if (s->sizes.n < GROWTH_SIZES_GOOD)
        add_limit(&text, "fewer than five sizes often name the wrong function: give more");
    if (steps)
        add_limit(&text, "with steps: grows by doubling, so that a count may be half or twice "
                         "what is foretold");
    if (copies >= COPIES_LEAST)
        add_limit(&text, "libc's memcpy, memmove and memset take one instruction for each byte "
                         "beyond some thousand bytes, and fewer below: where larger sizes pass "
                         "that threshold, they cost many times what is foretold");
    if (s->n_varying)
        add_limit(&text, "some functions vary between two runs of one size, so none of them is "
                         "exact");
    return text.text;
}

/*--- The table ---*/

bool scale_table_has(const struct scale_table *t, const struct series_item *item)
{
    return !item->is_small && (!t->filter || regexec(t->filter, item->name, 0, NULL, 0) == 0);
}

size_t scale_table_fill(const struct scale_table *t, struct table *filled)
{
    const struct series *s = t->series;
    size_t n = 0;

    table_begin(filled, t);
    add_columns(filled, t);
    filled->heading = heading_of(t);
    filled->findings[0] = unknown_text(s);
    for (int i = 0; i < SERIES_AHEAD; i++)
        filled->findings[1 + i] = ahead_text(s, i);
    for (size_t i = 0; i < s->n; i++) {
        if (!scale_table_has(t, &s->items[i]))
            continue;
        if (!t->limit || n < t->limit)
            table_put(filled, &s->items[i], CELL_PLAIN);
        n++;
    }
    if (s->others.counts && !t->filter) {
        char *name = xasprintf("[%s other function%s]", TEXT_COUNT(s->n_others),
                               s->n_others == 1 ? "" : "s");

        table_put_sum(filled, &s->others, name);
        free(name);
    }
    return n;
}

/*--- The check ---*/

enum check_id { FORETOLD, REAL, ERROR, RANGE, CHECK_NAME };

static struct cell check_cell(const void *subject, const void *item, const struct table_column *c)
{
    const struct scale_check_row *row = item;
    char text[TEXT_NUMBER];
    double error = scale_check_error(row);

    (void)subject;
    switch ((enum check_id)c->id) {
    case FORETOLD:
        return cell_text(scale_count_text(text, row->foretold.count));
    case REAL:
        return cell_count(row->real);
    case ERROR:
        return isnan(error) ? cell_unknown() : cell_take(xasprintf("%+.3f", error));
    case RANGE:
        return cell_text(isnan(error) ? "-" : scale_check_holds(row) ? "holds" : "beyond");
    default:
        return cell_text(row->item ? row->item->name : "[the program]");
    }
}

static bool is_beyond(const struct scale_check_row *row)
{
    return !isnan(scale_check_error(row)) && !scale_check_holds(row);
}

/* The caller frees it. */
static char *beyond_text(const struct scale_table *t)
{
    const struct sizes *sizes = &t->series->sizes;

    return xasprintf("beyond: the curve does not hold from n = %s to %s: there may be a threshold, "
                     "numbers of the input may have one more digit, or the cost may go by a part "
                     "of n, rounded; other sizes tell",
                     TEXT_COUNT(sizes->items[sizes->n - 1]), TEXT_COUNT(t->check->size));
}

void scale_check_fill(const struct scale_table *t, struct table *filled)
{
    static const struct table_column columns[] = {
        {"Foretold", TABLE_VALUE, .cell = check_cell, .id = FORETOLD},
        {"Real", TABLE_COUNT, .cell = check_cell, .id = REAL},
        {"Error, %", TABLE_VALUE, .cell = check_cell, .id = ERROR},
        {"Range", TABLE_VALUE, .cell = check_cell, .id = RANGE},
        {"Function", TABLE_NAME, .cell = check_cell, .id = CHECK_NAME}};
    const struct scale_check *check = t->check;
    bool beyond = false;
    size_t n = 0;

    table_begin(filled, t);
    table_columns(filled, columns, sizeof columns / sizeof *columns);
    filled->heading =
        xasprintf("A run at n = %s, and what was foretold of it", TEXT_COUNT(check->size));
    if (!column_is_inclusive(t->series->measure)) {
        table_put(filled, &check->program, CELL_BOLD);
        beyond = is_beyond(&check->program);
    }
    for (size_t i = 0; i < check->n; i++)
        if (scale_table_has(t, check->rows[i].item) && (!t->limit || n++ < t->limit)) {
            table_put(filled, &check->rows[i], CELL_PLAIN);
            beyond |= is_beyond(&check->rows[i]);
        }
    if (beyond)
        filled->closing = beyond_text(t);
}
