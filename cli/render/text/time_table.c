#include <config.h>

#include "render/text/time_table.h"

#include "base/count.h"
#include "base/memory.h"
#include "render/text/own_table.h"
#include "render/text/place_cell.h"
#include "render/text/text.h"
#include "render/text/time_numbers.h"

#include <stdlib.h>
#include <string.h>

/* The order in which columns are left out where there is no room, 1 first; 0: never. */
static const unsigned spare[TIME_NUMBERS] = {
    [TIME_BRANCH_RATE] = 1, [TIME_LL_RATE] = 2, [TIME_D1_RATE] = 3, [TIME_KERNEL] = 4};

static void put_numbers(struct grid *grid, const struct time_table *t, const struct time_row *row,
                        enum grid_style style)
{
    for (enum time_number n = 0; n < TIME_NUMBERS; n++)
        if (time_has_number(t, n)) {
            char *text = time_number_text(t, row, n);

            grid_cell(grid, text, n == TIME_EXTRA && time_is_noise(t, row) ? GRID_DIM : style);
            free(text);
        }
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
    struct grid_column columns[TIME_NUMBERS + 2];
    size_t n_columns = 0;

    for (enum time_number n = 0; n < TIME_NUMBERS; n++)
        if (time_has_number(t, n))
            columns[n_columns++] = (struct grid_column){time_number_head(n), GRID_NUMBER, spare[n]};
    columns[n_columns++] = (struct grid_column){"Function", GRID_NAME, 0};
    columns[n_columns++] = (struct grid_column){"Place", GRID_PLACE, 0};
    grid_init(grid, columns, n_columns);
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
    for (int which = 0; which < BLAME_OUTSIDES; which++)
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

char *time_heading_text(const struct time_table *t)
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
        double rate = time_rate(row, e), mean = time_rate(&t->total, e);
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

/* A sentence on a row that takes longer than its instructions explain; NULL: none does. */
static char *slow_text(const struct time_table *t, const struct time_row *row)
{
    char *reasons, *text;

    if (!row)
        return xstrdup("none of these takes longer than chance explains; a longer run, or a higher "
                       "--frequency, tells more");
    reasons = reasons_text(t, row);
    text = xasprintf("an instruction of %s takes %.1f times the mean%s%s%s", time_row_name(t, row),
                     time_slowness(t, row), reasons ? "; of 1,000 of them there are " : "",
                     reasons ? reasons : "",
                     reasons         ? ""
                     : has_events(t) ? "; the model of caches and branches does not say why"
                                     : "; a profile of cachegrind --branch-sim may say why");
    free(reasons);
    return text;
}

/* The event of which the row has the largest share, if that is more than its shares of the time and
 * of the instructions; TIME_EVENTS: none. */
static enum time_event chief_event(const struct time_table *t, const struct time_row *row)
{
    double time = share_of(row->samples, t->total.samples);
    double instructions = share_of(row->instructions, t->total.instructions);
    double most = time > instructions ? time : instructions;
    enum time_event chief = TIME_EVENTS;

    for (enum time_event e = 0; e < TIME_EVENTS; e++) {
        double share = t->event[e] ? share_of(row->misses[e], t->total.misses[e]) : 0;

        if (share > most) {
            most = share;
            chief = e;
        }
    }
    return chief;
}

/* A sentence on the row with most time, if it is not `slow` and has even more of an event; NULL:
 * there is none. */
static char *busiest_text(const struct time_table *t, const struct time_row *slow)
{
    const struct time_row *busiest = t->rows;
    char percent[TEXT_NUMBER], of_event[TEXT_NUMBER];
    enum time_event e;

    for (size_t i = 1; i < t->n_shown; i++)
        if (t->rows[i].samples > busiest->samples)
            busiest = &t->rows[i];
    e = chief_event(t, busiest);
    if (busiest == slow || e == TIME_EVENTS)
        return NULL;
    text_percent(percent, busiest->samples, t->total.samples, 1);
    text_percent(of_event, busiest->misses[e], t->total.misses[e], 1);
    return xasprintf("%s takes most, %s %% of the time, and has %s %% of the %s",
                     time_row_name(t, busiest), percent, of_event, time_event_text(e));
}

/* Sentences on rows that stand out; NULL: none was counted. */
static char *finding_text(const struct time_view *v)
{
    const struct time_table *t = v->table;
    const struct time_row *row = t->rows;
    char *slow, *busiest, *text;

    while (row < t->rows + t->n_shown && !row->instructions)
        row++;
    if (row == t->rows + t->n_shown)
        return NULL;
    if (time_extra(t, row) <= 0 || time_is_noise(t, row))
        row = NULL;
    slow = slow_text(t, row);
    busiest = busiest_text(t, row);
    if (!busiest)
        return slow;
    text = xasprintf("%s; %s", slow, busiest);
    free(slow);
    free(busiest);
    return text;
}

/* "5.0 % of the samples are in the kernel, 1.0 % in other code that was not counted; " */
static char *uncounted_text(const struct time_table *t)
{
    char percent[TEXT_NUMBER], of_others[TEXT_NUMBER];
    int64_t others = t->total.samples - t->counted_samples - t->kernel_samples;

    text_percent(percent, t->kernel_samples, t->total.samples, 1);
    text_percent(of_others, others, t->total.samples, 1);
    if (!strcmp(of_others, "0.0"))
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
    *filled = (struct titled_grid){.heading = v->below ? xstrdup("All functions")
                                                       : time_heading_text(v->table),
                                   .totals = v->below ? NULL : totals_text(v->table),
                                   .findings = {v->below ? NULL : finding_text(v)}};
    fill(&filled->grid, v);
}
