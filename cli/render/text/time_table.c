#include <config.h>

#include "render/text/time_table.h"

#include "base/count.h"
#include "base/memory.h"
#include "render/text/own_table.h"
#include "render/text/place_cell.h"
#include "render/text/text.h"

#include <stdlib.h>

enum { N_FIXED_BEFORE = 4, N_FIXED_BEHIND = 2 };

static const struct grid_column before[N_FIXED_BEFORE] = {{"Time %", GRID_NUMBER, 0},
                                                          {"Ir %", GRID_NUMBER, 0},
                                                          {"Extra %", GRID_NUMBER, 0},
                                                          {"Time/Ir", GRID_NUMBER, 0}};
static const struct grid_column behind[N_FIXED_BEHIND] = {{"Function", GRID_NAME, 0},
                                                          {"Place", GRID_PLACE, 0}};
static const struct grid_column of_kernel = {"Kernel %", GRID_NUMBER, 4};
static const struct grid_column missing[TIME_EVENTS] = {[TIME_D1] = {"D1m/kIr", GRID_NUMBER, 3},
                                                        [TIME_LL] = {"DLm/kIr", GRID_NUMBER, 2},
                                                        [TIME_BRANCH] = {"Bm/kIr", GRID_NUMBER, 1}};

/* Misses in 1,000 instructions. */
static double rate_of(const struct time_row *row, enum time_event event)
{
    return row->instructions > 0 ? 1000. * (double)row->misses[event] / (double)row->instructions
                                 : 0;
}

/* How slow the row's instructions are, beside all that were counted; 0: not known. */
static double slowness(const struct time_table *t, const struct time_row *row)
{
    double explained = time_explained(t, row);

    return explained > 0 ? (double)row->samples / explained : 0;
}

/* True where the kernel's samples are a column: it has some for own code. */
static bool has_kernel(const struct time_table *t)
{
    return t->is_own && t->kernel_samples;
}

static void put_share(struct grid *grid, double part, int64_t whole, enum grid_style style)
{
    char *text = xasprintf("%.1f", 100 * part / (double)whole);

    grid_cell(grid, text, style);
    free(text);
}

static void put_factor(struct grid *grid, double factor, enum grid_style style)
{
    char *text = xasprintf("%.*f", factor < 10 ? 1 : 0, factor);

    grid_cell(grid, text, style);
    free(text);
}

/* Numbers that are not known are "-": what nobody counted, and what may be chance. */
static void put_numbers(struct grid *grid, const struct time_table *t, const struct time_row *row,
                        enum grid_style style)
{
    bool is_counted = row->instructions > 0, is_noise = time_is_noise(t, row);

    put_share(grid, (double)row->samples, t->total.samples, style);
    if (is_counted)
        put_share(grid, (double)row->instructions, t->total.instructions, style);
    else
        grid_cell(grid, "-", style);
    if (is_noise)
        grid_cell(grid, "noise", GRID_DIM);
    else
        put_share(grid, time_extra(t, row), t->total.samples, style);
    if (is_counted && !is_noise)
        put_factor(grid, slowness(t, row), style);
    else
        grid_cell(grid, "-", style);
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        if (t->event[e] && is_counted)
            put_factor(grid, rate_of(row, e), style);
        else if (t->event[e])
            grid_cell(grid, "-", style);
    if (has_kernel(t))
        put_share(grid, (double)row->kernel, t->total.samples, style);
}

static void put_row(struct grid *grid, const struct time_view *v, const struct time_row *row)
{
    const struct cprof_profile *p = v->table->profile[row->side];

    put_numbers(grid, v->table, row, GRID_PLAIN);
    grid_cell(grid, time_row_name(v->table, row), GRID_PLAIN);
    place_cell(grid, p, &row->spot, v->root, GRID_PLAIN);
}

static void put_sum(struct grid *grid, const struct time_table *t, const struct time_row *sum,
                    const char *name)
{
    if (!sum->samples && !sum->instructions && !sum->kernel)
        return;
    put_numbers(grid, t, sum, GRID_DIM);
    grid_cell(grid, name, GRID_DIM);
    grid_place(grid, "", NULL, GRID_DIM);
}

static void add_row(struct time_row *sum, const struct time_row *row)
{
    sum->samples += row->samples;
    sum->instructions += row->instructions;
    sum->kernel += row->kernel;
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        sum->misses[e] += row->misses[e];
}

/* A brief table has no rows of less than a percent of the time and of the instructions. */
static bool is_brief(const struct time_table *t, const struct time_row *row)
{
    return 100 * (double)(row->samples + row->kernel) < (double)t->total.samples &&
           100 * (double)row->instructions < (double)t->total.instructions;
}

static void begin(struct grid *grid, const struct time_table *t)
{
    struct grid_column columns[N_FIXED_BEFORE + TIME_EVENTS + 1 + N_FIXED_BEHIND];
    size_t n = 0;

    for (size_t i = 0; i < N_FIXED_BEFORE; i++)
        columns[n++] = before[i];
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        if (t->event[e])
            columns[n++] = missing[e];
    if (has_kernel(t))
        columns[n++] = of_kernel;
    for (size_t i = 0; i < N_FIXED_BEHIND; i++)
        columns[n++] = behind[i];
    grid_init(grid, columns, n);
}

/* The rows that stand for what is not shown. */
struct time_sums {
    struct time_row rest, uncounted;
    size_t n_rest;
};

static void put_sums(struct grid *grid, const struct time_table *t, const struct time_sums *sums)
{
    char *more;

    if (!t->is_own) {
        put_sum(grid, t, &sums->rest, "[all else]");
        put_sum(grid, t, &sums->uncounted, "[not counted]");
        return;
    }
    more = xasprintf("[%s more of your code]", TEXT_COUNT(sums->n_rest));
    put_sum(grid, t, &sums->rest, more);
    for (int which = 0; which < 2; which++)
        put_sum(grid, t, &t->outside[which],
                own_table_outside(t->paths, (enum blame_outside)which));
    free(more);
}

/* Rows of code that was not counted are one, behind the others. */
static void fill(struct grid *grid, const struct time_view *v)
{
    const struct time_table *t = v->table;
    struct time_sums sums = {.n_rest = 0};
    size_t shown = 0;

    begin(grid, t);
    for (size_t i = 0; i < t->n; i++) {
        const struct time_row *row = &t->rows[i];

        if (!row->instructions && !t->is_own)
            add_row(&sums.uncounted, row);
        else if (i >= t->n_shown || (v->limit && shown == v->limit) ||
                 (v->brief && is_brief(t, row))) {
            add_row(&sums.rest, row);
            sums.n_rest++;
        } else {
            put_row(grid, v, row);
            shown++;
        }
    }
    put_sums(grid, t, &sums);
}

static char *heading_text(const struct time_table *t)
{
    char *text;
    double extra = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].instructions > 0 && time_extra(t, &t->rows[i]) > 0 &&
            !time_is_noise(t, &t->rows[i]))
            extra += time_extra(t, &t->rows[i]);
    text = xasprintf("%s: instructions do not explain %.1f %% of %s samples",
                     t->is_own ? "Your code" : "Time", 100 * extra / (double)t->total.samples,
                     TEXT_COUNT(t->total.samples));
    return text;
}

static bool has_events(const struct time_table *t)
{
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        if (t->event[e])
            return true;
    return false;
}

/* How to read the columns. */
static char *totals_text(const struct time_table *t)
{
    char instructions[TEXT_NUMBER];

    return xasprintf("%s instructions; Extra %%: time beyond their share; Time/Ir: how long one "
                     "takes, beside the mean%s",
                     text_count_short(instructions, t->total.instructions),
                     has_events(t) ? "; D1m/kIr: misses of 1,000, by the model" : "");
}

/* The events of which the row has at least twice the program's mean: "98.0 D1 misses (mean 4.1)";
 * NULL: none. */
static char *reasons_text(const struct time_table *t, const struct time_row *row)
{
    char *text = NULL;

    for (enum time_event e = 0; e < TIME_EVENTS; e++) {
        double rate = rate_of(row, e), mean = rate_of(&t->total, e);
        char *longer;

        if (!t->event[e] || rate < 1 || rate < 2 * mean)
            continue;
        longer = xasprintf("%s%s%.1f %s (mean %.1f)", text ? text : "", text ? ", " : "", rate,
                           time_event_text(e), mean);
        free(text);
        text = longer;
    }
    return text;
}

/* A sentence on the first row that was counted; NULL: none is slow beyond chance. */
static char *finding_text(const struct time_view *v)
{
    const struct time_table *t = v->table;
    const struct time_row *row = t->rows;
    char *reasons, *text;

    while (row < t->rows + t->n_shown && !row->instructions)
        row++;
    if (row == t->rows + t->n_shown || time_extra(t, row) <= 0 || time_is_noise(t, row))
        return NULL;
    reasons = reasons_text(t, row);
    text = xasprintf("an instruction of %s takes %.1f times the mean%s%s%s", time_row_name(t, row),
                     slowness(t, row), reasons ? "; of 1,000 of them there are " : "",
                     reasons ? reasons : "",
                     reasons         ? ""
                     : has_events(t) ? "; the model of caches and branches does not say why"
                                     : "; a profile of cachegrind --branch-sim may say why");
    free(reasons);
    return text;
}

/* "5.0 % of the samples are in the kernel, 1.0 % in other code that was not counted; " */
static char *uncounted_text(const struct time_table *t)
{
    char percent[TEXT_NUMBER], of_others[TEXT_NUMBER];
    int64_t others = t->total.samples - t->counted_samples - t->kernel_samples;

    text_percent(percent, t->kernel_samples, t->total.samples, 1);
    text_percent(of_others, others, t->total.samples, 1);
    if (!others)
        return t->kernel_samples
                   ? xasprintf("%s %% of the samples are in the kernel, which is not counted; ",
                               percent)
                   : xstrdup("");
    return t->kernel_samples
               ? xasprintf("%s %% of the samples are in the kernel, %s %% in other code that was "
                           "not counted; ",
                           percent, of_others)
               : xasprintf("%s %% of the samples are in code that was not counted; ", of_others);
}

char *time_unseen_text(const struct time_table *t)
{
    char *uncounted = uncounted_text(t);
    char *text = xasprintf("%stime that the program waits is in no sample: cargo cprof sample "
                           "--off-cpu",
                           uncounted);

    free(uncounted);
    return text;
}

void time_view_fill(const struct time_view *v, struct titled_grid *filled)
{
    *filled = (struct titled_grid){.heading =
                                       v->below ? xstrdup("All functions") : heading_text(v->table),
                                   .totals = v->below ? NULL : totals_text(v->table),
                                   .findings = {v->below ? NULL : finding_text(v)}};
    fill(&filled->grid, v);
}
