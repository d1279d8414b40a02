#include <config.h>

#include "render/text/time_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/own_table.h"
#include "render/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- Numbers ---*/

static const struct {
    const char *head;
    enum table_kind kind;
    unsigned spare;
} numbers[TIME_NUMBERS] = {[TIME_SHARE] = {"Time %", TABLE_SHARE, 0},
                           [TIME_INSTRUCTIONS] = {"Instr. %", TABLE_SHARE, 0},
                           [TIME_EXTRA] = {"Unexplained %", TABLE_SHARE, 0},
                           [TIME_FACTOR] = {"x mean", TABLE_RATIO, 5},
                           [TIME_EACH] = {"ns/instr.", TABLE_RATIO, 6},
                           [TIME_D1_RATE] = {"D1 miss/1000", TABLE_RATIO, 3},
                           [TIME_LL_RATE] = {"LL miss/1000", TABLE_RATIO, 2},
                           [TIME_BRANCH_RATE] = {"Mispred./1000", TABLE_RATIO, 1},
                           [TIME_KERNEL] = {"Kernel %", TABLE_SHARE, 4}};

static bool is_rate(enum time_number n)
{
    return n >= TIME_D1_RATE && n <= TIME_BRANCH_RATE;
}

static enum time_event event_of(enum time_number n)
{
    return (enum time_event)(n - TIME_D1_RATE);
}

/* Events may not be counted; samples of the kernel are apart from own code alone. */
static bool has_number(const struct time_table *t, enum time_number n)
{
    if (is_rate(n))
        return t->event[event_of(n)] != NULL;
    if (n == TIME_EACH)
        return t->unit != TIME_NO_UNIT;
    return n != TIME_KERNEL || (t->is_own && t->kernel_samples);
}

static const char *head_of(const struct time_table *t, enum time_number n)
{
    return n == TIME_EACH && t->unit == TIME_CYCLES ? "cycles/instr." : numbers[n].head;
}

/* Misses in 1,000 instructions. */
static double time_rate(const struct time_row *row, enum time_event event)
{
    return row->instructions > 0 ? 1000. * (double)row->misses[event] / (double)row->instructions
                                 : 0;
}

static double percent(double part, int64_t whole)
{
    return 100 * part / (double)whole;
}

/* The number that is shown, where it is known. */
static double number_of(const struct time_table *t, const struct time_row *row, enum time_number n)
{
    switch (n) {
    case TIME_SHARE:
        return percent((double)row->samples, t->total.samples);
    case TIME_INSTRUCTIONS:
        return percent((double)row->instructions, t->total.instructions);
    case TIME_EXTRA:
        return percent(time_extra(t, row), t->total.samples);
    case TIME_FACTOR:
        return time_slowness(t, row);
    case TIME_EACH:
        return time_of_instruction(t, row);
    case TIME_KERNEL:
        return percent((double)row->kernel, t->total.samples);
    default:
        return time_rate(row, event_of(n));
    }
}

/* False for what nobody counted, and for a factor that may be chance. */
static bool is_known(const struct time_table *t, const struct time_row *row, enum time_number n)
{
    if (n == TIME_SHARE || n == TIME_EXTRA || n == TIME_KERNEL)
        return true;
    if (n == TIME_EACH && row->samples < TIME_LEAST_SAMPLES)
        return false;
    return row->instructions > 0 && (n != TIME_FACTOR || !time_is_noise(t, row));
}

/* "-" is what is not known, less than any other number; "noise", which counts as 0, a difference
 * that may be chance. */
static struct cell number_cell(const struct time_table *t, const struct time_row *row,
                               enum time_number n)
{
    double number;

    if (!is_known(t, row, n))
        return cell_real(-INFINITY, 0);
    if (n == TIME_EXTRA && time_is_noise(t, row))
        return cell_styled(cell_text("noise"), CELL_DIM);
    number = number_of(t, row, n);
    if (n == TIME_EXTRA)
        return cell_styled(cell_real(number, 1), number > 0 ? CELL_MORE : CELL_LESS);
    if (n == TIME_EACH)
        return cell_real(number, number >= 100 ? 0 : 2);
    return cell_real(number, (is_rate(n) || n == TIME_FACTOR) && number >= 10 ? 0 : 1);
}

/*--- Columns ---*/

enum { FUNCTION = TIME_NUMBERS, PLACE };

static struct cell cell_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct time_view *v = subject;
    const struct time_row *row = item;

    if (c->id == FUNCTION)
        return cell_text(time_row_name(v->table, row));
    if (c->id == PLACE)
        return cell_spot(v->table->profile[row->side], &row->spot, v->root);
    return number_cell(v->table, row, (enum time_number)c->id);
}

void time_view_add_columns(const struct time_view *v, struct table *table)
{
    const struct time_table *t = v->table;

    for (enum time_number n = 0; n < TIME_NUMBERS; n++)
        if (has_number(t, n))
            table_column(table, &(struct table_column){head_of(t, n), numbers[n].kind,
                                                       .spare = numbers[n].spare, .cell = cell_of,
                                                       .id = (int)n});
    table_column(table, &(struct table_column){"Function", TABLE_NAME, .cell = cell_of,
                                               .id = FUNCTION, .names_sums = true});
    table_column(table, &(struct table_column){"Place", TABLE_PLACE, .cell = cell_of, .id = PLACE});
}

/*--- Rows ---*/

static void put_sum(struct table *table, const struct time_row *sum, const char *name)
{
    if (sum->samples || sum->instructions || sum->kernel)
        table_put_sum(table, sum, name);
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

/* The rows that stand for what is not shown. */
struct time_sums {
    struct time_row rest, uncounted;
    size_t n_rest;
};

static void put_sums(struct table *table, const struct time_table *t, const struct time_sums *sums)
{
    char *more;

    if (!t->is_own) {
        put_sum(table, &sums->rest, "[all else]");
        put_sum(table, &sums->uncounted, "[not counted]");
        return;
    }
    more = xasprintf("[%s more of your code]", TEXT_COUNT(sums->n_rest));
    put_sum(table, &sums->rest, more);
    for (int which = 0; which < BLAME_OUTSIDES; which++)
        put_sum(table, &t->outside[which], blame_outside_name(t->paths, (enum blame_outside)which));
    free(more);
}

/* Rows of code that was not counted are one, behind the others. */
static void add_rows(struct table *table, const struct time_view *v)
{
    const struct time_table *t = v->table;
    struct time_sums sums = {.n_rest = 0};

    for (size_t i = 0; i < t->n; i++) {
        const struct time_row *row = &t->rows[i];

        if (!row->instructions && !t->is_own)
            add_row(&sums.uncounted, row);
        else if (i >= t->n_shown || (v->limit && table->n_rows == v->limit) ||
                 (v->brief && is_brief(t, row))) {
            add_row(&sums.rest, row);
            sums.n_rest++;
        } else {
            table_put(table, row, CELL_PLAIN);
        }
    }
    put_sums(table, t, &sums);
}

char *time_heading_text(const struct time_table *t)
{
    const char *whose = t->is_own ? "Your code" : "Time";
    char samples[TEXT_NUMBER + sizeof " samples"];
    double extra = 0;

    snprintf(samples, sizeof samples, "%s sample%s", TEXT_COUNT(t->total.samples),
             t->total.samples == 1 ? "" : "s");
    if (t->differences)
        return xasprintf("%s: %s beside the instructions of another job", whose, samples);
    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].instructions > 0 && time_extra(t, &t->rows[i]) > 0 &&
            !time_is_noise(t, &t->rows[i]))
            extra += time_extra(t, &t->rows[i]);
    if (t->total.samples < TIME_LEAST_SAMPLES)
        return xasprintf("%s: %s, too few to compare the time with the instructions", whose,
                         samples);
    extra = 100 * extra / (double)t->total.samples;
    if (extra < 0.05)
        return xasprintf("%s: nothing is slower than the rest, beyond chance (%s)", whose, samples);
    return xasprintf("%s: %.1f %% of the time is not explained by the number of instructions (%s)",
                     whose, extra, samples);
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

    return xasprintf("%s instructions; unexplained: time beyond the share of the instructions%s",
                     text_count_short(instructions, t->total.instructions),
                     has_events(t) ? "; misses: modelled, for each 1,000 instructions" : "");
}

/* Events of 1,000 instructions from which on they may be what an instruction waits for. */
static const double much[TIME_EVENTS] = {[TIME_D1] = 10, [TIME_LL] = 1, [TIME_BRANCH] = 5};
static const char *const waits_for[TIME_EVENTS] = {
    [TIME_D1] = "the cache", [TIME_LL] = "the cache and memory", [TIME_BRANCH] = "branches"};

/* True where the row has so many of an event that it may wait for that: much by itself, or much
 * more than the program. */
static bool has_much(const struct time_table *t, const struct time_row *row, enum time_event e)
{
    double rate = time_rate(row, e);

    return t->event[e] &&
           (rate >= much[e] || (rate >= much[e] / 10 && rate >= 2 * time_rate(&t->total, e)));
}

/* "the cache and memory: 98.0 D1 misses, 9.0 last-level misses in 1,000 instructions": what the row
 * waits for, by the model; NULL: nothing that it knows. */
static char *reasons_text(const struct time_table *t, const struct time_row *row)
{
    struct strbuf text = {.text = NULL};
    const char *reason = NULL;

    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        if (has_much(t, row, e) && (!reason || e != TIME_BRANCH))
            reason = waits_for[e];
    if (!reason)
        return NULL;
    strbuf_addf(&text, "%s: ", reason);
    for (enum time_event e = 0, n = 0; e < TIME_EVENTS; e++)
        if (has_much(t, row, e))
            strbuf_addf(&text, "%s%.1f %s", n++ ? ", " : "", time_rate(row, e), time_event_text(e));
    strbuf_add(&text, " in 1,000 instructions");
    return strbuf_take(&text);
}

/* "0.26 ns, 3.1 times the mean": how long an instruction of the row takes; each where the row's
 * cells have it. */
static char *each_text(const struct time_table *t, const struct time_row *row)
{
    struct strbuf text = {.text = NULL};

    if (t->unit)
        strbuf_addf(&text, "%.2f %s", time_of_instruction(t, row),
                    t->unit == TIME_NS ? "ns" : "cycles");
    if (!time_is_noise(t, row))
        strbuf_addf(&text, "%s%.1f times the mean", t->unit ? ", " : "", time_slowness(t, row));
    return strbuf_take(&text);
}

/* True where the row takes longer than its instructions explain, and no chance does. */
static bool is_beyond(const struct time_table *t, const struct time_row *row)
{
    return time_extra(t, row) > 0 && !time_is_noise(t, row);
}

/* True where instructions of the row take long. What is fast as processors go need not wait for
 * what it misses, though others are faster. */
static bool is_slow(const struct time_table *t, const struct time_row *row)
{
    return time_speed(t, row) == TIME_SLOW ||
           (is_beyond(t, row) && (!t->unit || time_slowness(t, row) >= 3));
}

/* True where there are too few samples to say how fast the row is. */
static bool is_unsure(const struct time_table *t, const struct time_row *row)
{
    return t->unit && time_speed(t, row) == TIME_UNKNOWN && !is_slow(t, row);
}

/* A sentence on the row. */
static char *verdict_text(const struct time_table *t, const struct time_row *row)
{
    char *each = each_text(t, row), *reasons = NULL, *text;
    bool slow = is_slow(t, row);

    if (slow)
        reasons = reasons_text(t, row);
    if (!slow)
        text = xasprintf("an instruction of %s takes %s: it is not slow, fewer instructions help",
                         time_row_name(t, row), each);
    else if (reasons)
        text = xasprintf("an instruction of %s takes %s; it waits for %s", time_row_name(t, row),
                         each, reasons);
    else
        text = xasprintf("an instruction of %s takes %s; %s", time_row_name(t, row), each,
                         has_events(t) ? "not for caches or branches, by their model: slow "
                                         "instructions, or such that wait for each other"
                                       : "a profile of cachegrind --branch-sim may say why");
    free(each);
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

/* The row with most time; NULL: none was counted. */
static const struct time_row *busiest_row(const struct time_table *t)
{
    const struct time_row *busiest = NULL;

    for (size_t i = 0; i < t->n_shown; i++)
        if (t->rows[i].instructions && (!busiest || t->rows[i].samples > busiest->samples))
            busiest = &t->rows[i];
    return busiest;
}

/* A sentence on the row with most time, if it is not `slow` and has even more of an event; NULL:
 * there is none. */
static char *busiest_text(const struct time_table *t, const struct time_row *slow)
{
    const struct time_row *busiest = busiest_row(t);
    char percent[TEXT_NUMBER], of_event[TEXT_NUMBER];
    enum time_event e;

    e = chief_event(t, busiest);
    if (busiest == slow || e == TIME_EVENTS)
        return NULL;
    text_percent(percent, busiest->samples, t->total.samples, 1);
    text_percent(of_event, busiest->misses[e], t->total.misses[e], 1);
    return xasprintf("%s takes most, %s %% of the time, and has %s %% of the %s",
                     time_row_name(t, busiest), percent, of_event, time_event_text(e));
}

/* Sentences on rows that stand out; NULL: none was counted. Of two jobs, why there are none. */
static char *finding_text(const struct time_view *v)
{
    const struct time_table *t = v->table;
    const struct time_row *row = t->rows, *most = busiest_row(t);
    char *verdict, *busiest, *text;

    if (t->differences)
        return xasprintf("the profiles are not of one job, so no time of an instruction is known, "
                         "and nothing is called slow: %s",
                         t->differences);
    if (!most)
        return NULL;
    while (!row->instructions)
        row++;
    if (!is_beyond(t, row) && !t->unit)
        return xstrdup("none of these takes longer than chance explains; a longer run, or a higher "
                       "--frequency, tells more");
    row = is_slow(t, row) && is_beyond(t, row) ? row : most;
    if (is_unsure(t, row))
        return xasprintf("too few samples for a verdict on %s (%s); a longer run, or a higher "
                         "--frequency, tells more",
                         time_row_name(t, row), TEXT_COUNT(row->samples));
    verdict = verdict_text(t, row);
    busiest = busiest_text(t, row);
    if (!busiest)
        return verdict;
    text = xasprintf("%s; %s", verdict, busiest);
    free(verdict);
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

void time_view_fill(const struct time_view *v, struct table *filled)
{
    table_begin(filled, v);
    time_view_add_columns(v, filled);
    filled->heading = v->below ? xstrdup("All functions") : time_heading_text(v->table);
    filled->totals = v->below ? NULL : totals_text(v->table);
    filled->findings[0] = v->below ? NULL : finding_text(v);
    add_rows(filled, v);
}
