#include <config.h>

#include "diff/time_rows.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
} events[] = {[TIME_D1] = {"D1m", "D1 misses"},
              [TIME_LL] = {"DLm", "last-level misses"},
              [TIME_BRANCH] = {"Bm", "mispredicted branches"}};

const char *time_event_name(enum time_event event)
{
    return events[event].name;
}

const char *time_event_text(enum time_event event)
{
    return events[event].text;
}

uint32_t time_instructions(const struct cprof_profile *p)
{
    uint32_t e = 0;

    while (e < p->n_events && strcmp(p->events[e].name, "Ir") != 0)
        e++;
    return e;
}

char *time_problem(const struct cprof_profile *exact, const struct cprof_profile *sampled)
{
    if (!share_is_sampled(sampled))
        return xasprintf("'%s' has no samples; the second profile is one of samples",
                         sampled->source);
    if (share_is_sampled(exact) || time_instructions(exact) == exact->n_events)
        return xasprintf("'%s' does not count instructions (Ir); the first profile is an exact one",
                         exact->source);
    if (exact->totals[time_instructions(exact)] <= 0 || sampled->totals[0] <= 0)
        return xasprintf("nothing was counted in '%s'",
                         sampled->totals[0] <= 0 ? sampled->source : exact->source);
    return NULL;
}

double time_explained(const struct time_table *t, const struct time_row *row)
{
    return (double)t->counted_samples * (double)row->instructions / (double)t->total.instructions;
}

double time_extra(const struct time_table *t, const struct time_row *row)
{
    return (double)row->samples - time_explained(t, row);
}

double time_slowness(const struct time_table *t, const struct time_row *row)
{
    double explained = time_explained(t, row);

    return explained > 0 ? (double)row->samples / explained : 0;
}

double time_of_instruction(const struct time_table *t, const struct time_row *row)
{
    return row->instructions > 0 ? (double)row->samples * t->of_sample / (double)row->instructions
                                 : 0;
}

/* Processors of today do four instructions a cycle where nothing holds them up, and have about
 * three cycles a nanosecond. */
enum time_speed time_speed(const struct time_table *t, const struct time_row *row)
{
    static const double least[] = {[TIME_NS] = 0.2, [TIME_CYCLES] = 0.7};
    struct share_interval share = share_interval(row->samples, t->total.samples, t->total.samples);
    double limit;

    if (!t->unit || row->samples < TIME_LEAST_SAMPLES || row->instructions <= 0)
        return TIME_UNKNOWN;
    /* The share of the samples from which on an instruction is slow. */
    limit = least[t->unit] * (double)row->instructions / t->of_sample / (double)t->total.samples;
    if (row->samples < TIME_SURE_SAMPLES && share.low < limit && limit <= share.high)
        return TIME_UNKNOWN;
    return share_of(row->samples, t->total.samples) >= limit ? TIME_SLOW : TIME_FAST;
}

bool time_is_noise(const struct time_table *t, const struct time_row *row)
{
    struct share_interval share = share_interval(row->samples, t->total.samples, t->total.samples);
    double explained = time_explained(t, row) / (double)t->total.samples;

    if (row->samples < TIME_LEAST_SAMPLES && time_explained(t, row) < TIME_LEAST_SAMPLES)
        return true;
    return explained >= share.low && explained <= share.high;
}

/* The extra samples that are no chance; 0 where there are none. */
static double sure_extra(const struct time_table *t, const struct time_row *row)
{
    double extra = time_is_noise(t, row) ? 0 : time_extra(t, row);

    return extra > 0 ? extra : 0;
}

/* Most extra samples first. Rows that have none, or whose extra may be chance, by what they take:
 * samples, then instructions; and as they were. */
static int compare_rows(const void *a, const void *b, void *context)
{
    const struct time_row *x = a, *y = b;
    double of_x = sure_extra(context, x), of_y = sure_extra(context, y);

    if (of_x > of_y || of_x < of_y)
        return of_x > of_y ? -1 : 1;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    if (x->side != y->side)
        return x->side > y->side ? -1 : 1;
    return code_spot_compare(&x->spot, &y->spot);
}

void time_table_sort(struct time_table *t)
{
    qsort_r(t->rows, t->n, sizeof *t->rows, compare_rows, t);
}

/* `filters`: one for each side. */
static bool is_left(const void *item, const void *filters)
{
    const struct time_row *row = item;

    return name_filter_finds((const struct name_filter *)filters + row->side, row->spot.function);
}

void time_table_filter(struct time_table *t, const regex_t *filter)
{
    const struct name_filter sides[DIFF_SIDES] = {{t->profile[DIFF_OLD], filter},
                                                  {t->profile[DIFF_NEW], filter}};

    t->n_shown = array_partition(t->rows, t->n, sizeof *t->rows, is_left, sides);
}

static void free_names(struct time_table *t)
{
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        for (uint32_t f = 0; t->names[side] && f < t->profile[side]->n_functions; f++)
            free(t->names[side][f]);
        free(t->names[side]);
        t->names[side] = NULL;
    }
}

static char **linkage_names(const struct cprof_profile *p)
{
    char **names = xcalloc((size_t)p->n_functions + 1, sizeof *names);

    for (uint32_t f = 0; f < p->n_functions; f++)
        names[f] =
            xstrdup(p->functions[f].mangled ? p->functions[f].mangled : p->functions[f].name);
    return names;
}

void time_table_name(struct time_table *t, enum name_style style)
{
    free_names(t);
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES && style != NAME_FULL; side++)
        t->names[side] =
            style == NAME_SHORT ? names_short(t->profile[side]) : linkage_names(t->profile[side]);
}

const char *time_row_name(const struct time_table *t, const struct time_row *row)
{
    return t->names[row->side] ? t->names[row->side][row->spot.function]
                               : t->profile[row->side]->functions[row->spot.function].name;
}

void time_table_free(struct time_table *t)
{
    free_names(t);
    columns_free(&t->columns);
    free(t->differences);
    free(t->rows);
    *t = (struct time_table){.n = 0};
}
