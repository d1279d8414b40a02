#include <config.h>

#include "diff/time_rows.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"
#include "diff/matching.h"

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

/* The index of Ir; n_events where the profile has none. */
static uint32_t find_instructions(const struct cprof_profile *p)
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
    if (share_is_sampled(exact) || find_instructions(exact) == exact->n_events)
        return xasprintf("'%s' does not count instructions (Ir); the first profile is an exact one",
                         exact->source);
    if (exact->totals[find_instructions(exact)] <= 0 || sampled->totals[0] <= 0)
        return xasprintf("nothing was counted in '%s'",
                         sampled->totals[0] <= 0 ? sampled->source : exact->source);
    return NULL;
}

/* A cost of one of the profiles, and the row that it belongs to. */
struct time_cost {
    enum diff_side side;
    uint32_t cost;
    uint32_t row;
    char *key; /* of lines */
};

struct time_loader {
    struct time_table *table;
    uint32_t instructions; /* the index of Ir */
    struct time_cost *costs;
    size_t n_costs;
    uint32_t n_rows;
    int64_t *self[DIFF_SIDES]; /* by function: samples, or instructions */
};

static int64_t value_of(const struct time_loader *l, enum diff_side side, uint32_t cost)
{
    return cprof_cost_values(l->table->profile[side], cost)[side == DIFF_OLD ? l->instructions : 0];
}

static void load_costs(struct time_loader *l)
{
    const struct cprof_profile *const *p = l->table->profile;

    l->costs =
        xreallocarray(NULL, (size_t)p[DIFF_OLD]->n_costs + p[DIFF_NEW]->n_costs, sizeof *l->costs);
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        l->self[side] = xcalloc((size_t)p[side]->n_functions + 1, sizeof *l->self[side]);
        for (uint32_t i = 0; i < p[side]->n_costs; i++) {
            l->self[side][p[side]->costs[i].function] += value_of(l, side, i);
            l->costs[l->n_costs++] = (struct time_cost){.side = side, .cost = i};
        }
    }
}

static bool has_cost(const void *context, enum diff_side side, uint32_t function)
{
    return ((const struct time_loader *)context)->self[side][function] != 0;
}

static void number_functions(struct time_loader *l)
{
    const struct cprof_profile *const *p = l->table->profile;
    struct matching matching = {.n = 0};
    uint32_t *row_of[DIFF_SIDES];

    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
        matching_add(&matching, p[side], side, has_cost, l);
        row_of[side] = xcalloc((size_t)p[side]->n_functions + 1, sizeof *row_of[side]);
    }
    matching_group(&matching);
    for (size_t i = 0; i < matching.n; i++)
        row_of[matching.functions[i].side][matching.functions[i].function] =
            matching.functions[i].group;
    for (size_t i = 0; i < l->n_costs; i++) {
        enum diff_side side = l->costs[i].side;

        l->costs[i].row = row_of[side][p[side]->costs[l->costs[i].cost].function];
    }
    l->n_rows = matching.n_groups;
    free(row_of[DIFF_OLD]);
    free(row_of[DIFF_NEW]);
    matching_free(&matching);
}

/* A line's key is its function's row, the last name of its file, which is all that some profiles
 * have, and its number. */
static char *line_key(const struct time_loader *l, const struct time_cost *c)
{
    const struct cprof_profile *p = l->table->profile[c->side];
    const struct cprof_cost *cost = &p->costs[c->cost];
    const char *file = cost->file == CPROF_NONE || !cost->line ? "" : p->files[cost->file];
    const char *slash = strrchr(file, '/');

    return xasprintf("%u %s:%u", c->row, slash ? slash + 1 : file, cost->line);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct time_cost *)a)->key, ((const struct time_cost *)b)->key);
}

static void number_lines(struct time_loader *l)
{
    number_functions(l);
    for (size_t i = 0; i < l->n_costs; i++)
        l->costs[i].key = line_key(l, &l->costs[i]);
    l->n_rows = 0;
    sort_items(l->costs, l->n_costs, sizeof *l->costs, compare_keys);
    for (size_t i = 0; i < l->n_costs; i++) {
        if (!i || compare_keys(&l->costs[i - 1], &l->costs[i]) != 0)
            l->n_rows++;
        l->costs[i].row = l->n_rows - 1;
    }
    for (size_t i = 0; i < l->n_costs; i++)
        free(l->costs[i].key);
}

static void add_cost(struct time_table *t, const struct time_loader *l, const struct time_cost *c,
                     struct time_row *row)
{
    int64_t value = value_of(l, c->side, c->cost);

    if (c->side == DIFF_NEW) {
        row->samples += value;
        return;
    }
    row->instructions += value;
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        if (t->event[e])
            row->misses[e] +=
                column_value(t->event[e], cprof_cost_values(t->profile[DIFF_OLD], c->cost));
}

static struct code_spot spot_of(const struct time_loader *l, const struct time_cost *c)
{
    const struct cprof_cost *cost = &l->table->profile[c->side]->costs[c->cost];

    return (struct code_spot){cost->function, cost->file, cost->line};
}

/* By row, the sampled profile first, then by place. */
static int compare_places(const void *a, const void *b, void *context)
{
    const struct time_cost *x = a, *y = b;
    struct code_spot of_x = spot_of(context, x), of_y = spot_of(context, y);

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->side != y->side)
        return x->side > y->side ? -1 : 1;
    return code_spot_compare(&of_x, &of_y);
}

/* Puts each row to the place that has most of it: of samples, where it has any. */
static void find_spots(struct time_loader *l)
{
    int64_t most = 0, sum = 0;

    qsort_r(l->costs, l->n_costs, sizeof *l->costs, compare_places, l);
    for (size_t i = 0; i < l->n_costs; i++) {
        const struct time_cost *c = &l->costs[i], *last = i ? c - 1 : NULL;
        struct time_row *row = &l->table->rows[c->row];
        struct code_spot spot = spot_of(l, c), before = last ? spot_of(l, last) : spot;

        if (!last || last->row != c->row)
            most = 0;
        if (!last || last->row != c->row || last->side != c->side ||
            code_spot_compare(&before, &spot) != 0)
            sum = 0;
        sum += value_of(l, c->side, c->cost);
        if (sum > most && (!most || row->side == c->side)) {
            most = sum;
            row->side = c->side;
            row->spot = spot;
        }
    }
}

static void load_rows(struct time_loader *l)
{
    struct time_table *t = l->table;

    t->rows = xcalloc((size_t)l->n_rows + 1, sizeof *t->rows);
    for (size_t i = 0; i < l->n_costs; i++) {
        add_cost(t, l, &l->costs[i], &t->rows[l->costs[i].row]);
        add_cost(t, l, &l->costs[i], &t->total);
    }
    find_spots(l);
    for (uint32_t i = 0; i < l->n_rows; i++) {
        const struct time_row row = t->rows[i];

        if (row.instructions > 0)
            t->counted_samples += row.samples;
        if (row.instructions > 0 || row.samples > 0)
            t->rows[t->n++] = row;
    }
    t->n_shown = t->n;
}

double time_explained(const struct time_table *t, const struct time_row *row)
{
    return (double)t->counted_samples * (double)row->instructions / (double)t->total.instructions;
}

double time_extra(const struct time_table *t, const struct time_row *row)
{
    return (double)row->samples - time_explained(t, row);
}

/* Fewer samples say nothing, however few instructions there are. */
enum { LEAST_SAMPLES = 5 };

bool time_is_noise(const struct time_table *t, const struct time_row *row)
{
    struct share_interval share = share_interval(row->samples, t->total.samples, t->total.samples);
    double explained = time_explained(t, row) / (double)t->total.samples;

    if (row->samples < LEAST_SAMPLES && time_explained(t, row) < LEAST_SAMPLES)
        return true;
    return explained >= share.low && explained <= share.high;
}

static double sure_extra(const struct time_table *t, const struct time_row *row)
{
    return time_is_noise(t, row) ? 0 : time_extra(t, row);
}

/* Most extra samples first; then by instructions, and as they were. */
static int compare_rows(const void *a, const void *b, void *context)
{
    const struct time_row *x = a, *y = b;
    double of_x = sure_extra(context, x), of_y = sure_extra(context, y);

    if (of_x > of_y || of_x < of_y)
        return of_x > of_y ? -1 : 1;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    if (x->side != y->side)
        return x->side > y->side ? -1 : 1;
    return code_spot_compare(&x->spot, &y->spot);
}

void time_table_load(struct time_table *t, const struct cprof_profile *exact,
                     const struct cprof_profile *sampled, bool by_line)
{
    struct time_loader l = {.table = t, .instructions = find_instructions(exact)};

    *t = (struct time_table){.profile = {[DIFF_OLD] = exact, [DIFF_NEW] = sampled}};
    columns_load(&t->columns, exact);
    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        t->event[e] = columns_find(&t->columns, events[e].name);
    load_costs(&l);
    if (by_line)
        number_lines(&l);
    else
        number_functions(&l);
    load_rows(&l);
    qsort_r(t->rows, t->n, sizeof *t->rows, compare_rows, t);
    free(l.costs);
    free(l.self[DIFF_OLD]);
    free(l.self[DIFF_NEW]);
}

struct filtering {
    const struct time_table *table;
    const regex_t *filter;
};

static bool is_left(const void *item, const void *key)
{
    const struct filtering *f = key;
    const struct time_row *row = item;

    return callers_name_matches(f->table->profile[row->side], row->spot.function, f->filter);
}

void time_table_filter(struct time_table *t, const regex_t *filter)
{
    const struct filtering f = {t, filter};

    t->n_shown = array_partition(t->rows, t->n, sizeof *t->rows, is_left, &f);
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
    free(t->rows);
    *t = (struct time_table){.n = 0};
}
