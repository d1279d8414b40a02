#include <config.h>

#include "diff/diff.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "diff/matching.h"
#include "diff/noise_thresholds.h"
#include "table/rows.h"

#include <stdlib.h>
#include <string.h>

struct comparison {
    struct diff *diff;
    struct graph graph[DIFF_SIDES];
    int64_t *self[DIFF_SIDES]; /* n_functions rows of the common events */
    bool *around[DIFF_SIDES];  /* of each function: it is known to have code inlined into it */
    struct matching matching;
};

/*--- Events ---*/

/* The events of one profile that the other lacks, "Dr, Dw", or NULL. */
static char *missing_events(const struct cprof_profile *having, const struct cprof_profile *lacking)
{
    struct strbuf list = {.text = NULL};

    for (uint32_t i = 0; i < having->n_events; i++)
        if (cprof_find_event(lacking, having->events[i].name) == CPROF_NONE)
            strbuf_addf(&list, "%s%s", list.size ? ", " : "", having->events[i].name);
    return list.size ? strbuf_take(&list) : NULL;
}

static void find_events(struct diff *d)
{
    const struct cprof_profile *old_profile = d->profile[DIFF_OLD];
    const struct cprof_profile *new_profile = d->profile[DIFF_NEW];
    struct cprof_event *common = xreallocarray(NULL, new_profile->n_events, sizeof *common);

    for (int side = 0; side < DIFF_SIDES; side++)
        d->events[side] = xreallocarray(NULL, new_profile->n_events, sizeof *d->events[side]);
    for (uint32_t i = 0; i < new_profile->n_events; i++) {
        uint32_t event = cprof_find_event(old_profile, new_profile->events[i].name);

        if (event == CPROF_NONE)
            continue;
        d->events[DIFF_OLD][d->common.n] = event;
        d->events[DIFF_NEW][d->common.n] = i;
        common[d->common.n++] = new_profile->events[i];
    }
    d->missing[DIFF_OLD] = missing_events(new_profile, old_profile);
    d->missing[DIFF_NEW] = missing_events(old_profile, new_profile);
    d->common.items = common;
    d->common.subject =
        old_profile->subject == new_profile->subject ? new_profile->subject : CPROF_SUBJECT_CODE;
    d->common.inclusive = graph_is_known(old_profile) && graph_is_known(new_profile);
    d->common.sampled = old_profile->sampled || new_profile->sampled;
    d->width = d->common.inclusive ? 2 * (size_t)d->common.n + 1 : d->common.n;
}

void diff_add_common(const struct diff *d, enum diff_side side, int64_t *to, const int64_t *from)
{
    for (uint32_t e = 0; e < d->common.n; e++)
        counts_add(&to[e], &from[d->events[side][e]], 1);
}

/*--- Costs of functions ---*/

static void find_self(struct comparison *m, enum diff_side side)
{
    const struct cprof_profile *p = m->diff->profile[side];
    uint32_t n_events = m->diff->common.n;

    m->self[side] = xcalloc((size_t)p->n_functions * n_events + 1, sizeof *m->self[side]);
    for (uint32_t i = 0; i < p->n_costs; i++)
        diff_add_common(m->diff, side, m->self[side] + (size_t)p->costs[i].function * n_events,
                        cprof_cost_values(p, i));
}

/* Notes the functions that others are inlined into, where call paths do not tell: they may cost
 * nothing themselves. */
static void find_around(struct comparison *m, enum diff_side side)
{
    const struct paths paths = profile_paths(m->diff->profile[side]);

    m->around[side] = xcalloc(paths.profile->n_functions, sizeof *m->around[side]);
    for (uint32_t i = 0; i < paths.n && !paths.known; i++)
        m->around[side][paths.contexts[i].function] = true;
}

static const int64_t *inclusive_of(const struct comparison *m, enum diff_side side,
                                   uint32_t function)
{
    const struct graph *graph = &m->graph[side];
    uint32_t n_events = m->diff->profile[side]->n_events;

    return m->diff->common.inclusive ? graph->inclusive + (size_t)function * n_events : NULL;
}

static bool has_cost(const void *context, enum diff_side side, uint32_t function)
{
    const struct comparison *m = context;
    uint32_t n_events = m->diff->common.n;
    const int64_t *self = m->self[side] + (size_t)function * n_events;
    const int64_t *inclusive = inclusive_of(m, side, function);

    for (uint32_t e = 0; e < n_events; e++)
        if (self[e] || (inclusive && inclusive[m->diff->events[side][e]]))
            return true;
    return m->around[side][function];
}

/*--- Rows ---*/

static void start_row(struct diff *d, struct diff_row *row)
{
    for (int side = 0; side < DIFF_SIDES; side++)
        row->counts[side] = xcalloc(d->width, sizeof *row->counts[side]);
}

/* Adds the inclusive cost of a function; that of callgrind's `f'2` is a part of that of `f`. */
static void add_inclusive(const struct comparison *m, const struct keyed_function *e, int64_t *to)
{
    const struct diff *d = m->diff;
    const int64_t *inclusive = inclusive_of(m, e->side, e->function);
    const int64_t *totals = d->profile[e->side]->totals;

    for (uint32_t i = 0; inclusive && i < d->common.n; i++) {
        int64_t value = inclusive[d->events[e->side][i]], total = totals[d->events[e->side][i]];

        if (e->recursion)
            to[i] = to[i] > value ? to[i] : value;
        else
            counts_add(&to[i], &value, 1);
        if (total > 0 && to[i] > total)
            to[i] = total;
    }
    if (inclusive)
        counts_add(&to[d->common.n], &m->graph[e->side].calls[e->function], 1);
}

static void add_entry(const struct comparison *m, const struct keyed_function *e,
                      struct diff_row *row)
{
    uint32_t n_events = m->diff->common.n;
    int64_t *counts = row->counts[e->side];

    row->in[e->side] = true;
    row->n_functions[e->side]++;
    counts_add(counts, m->self[e->side] + (size_t)e->function * n_events, n_events);
    add_inclusive(m, e, counts + n_events);
}

/* Returns true where `e` describes the row better than `best`: NEW before OLD, then the costlier
 * one. */
static bool describes_better(const struct comparison *m, const struct keyed_function *e,
                             const struct keyed_function *best)
{
    uint32_t n_events = m->diff->common.n;

    if (!best || best->side != e->side)
        return !best || e->side == DIFF_NEW;
    return n_events && m->self[e->side][(size_t)e->function * n_events] >
                           m->self[e->side][(size_t)best->function * n_events];
}

static void describe(const struct comparison *m, const struct keyed_function *e,
                     struct diff_row *row)
{
    const struct cprof_profile *p = m->diff->profile[e->side];
    const struct cprof_function *f = &p->functions[e->function];

    row->side = e->side;
    row->function = e->function;
    row->file =
        f->file == CPROF_NONE || !strcmp(p->files[f->file], "???") ? NULL : p->files[f->file];
    row->line = row->file ? f->line : 0;
    row->object = f->object == CPROF_NONE ? NULL : p->objects[f->object].path;
}

/* Makes a row of each group, in the order of the keys. */
static void make_rows(struct comparison *m)
{
    struct diff *d = m->diff;
    uint32_t *row_of_group = xreallocarray(NULL, m->matching.n_groups, sizeof *row_of_group);
    const struct keyed_function **described_by =
        xcalloc(m->matching.n_groups + 1, sizeof *described_by);

    for (uint32_t i = 0; i < m->matching.n_groups; i++)
        row_of_group[i] = CPROF_NONE;
    d->rows = xcalloc(m->matching.n_groups + 1, sizeof *d->rows);
    for (size_t i = 0; i < m->matching.n; i++) {
        struct keyed_function *e = &m->matching.functions[i];
        struct diff_row *row;

        if (row_of_group[e->group] == CPROF_NONE) {
            row_of_group[e->group] = (uint32_t)d->n++;
            start_row(d, &d->rows[d->n - 1]);
        }
        e->group = row_of_group[e->group];
        row = &d->rows[e->group];
        add_entry(m, e, row);
        if (describes_better(m, e, described_by[e->group]))
            described_by[e->group] = e;
        d->row_of[e->side][e->function] = e->group;
    }
    for (size_t i = 0; i < d->n; i++)
        describe(m, described_by[i], &d->rows[i]);
    free(row_of_group);
    free(described_by);
    d->n_all = d->n;
}

/* Names each row by the key of its functions in NEW, or else in OLD, if they have one; else by the
 * loose key. */
static void name_rows(struct comparison *m)
{
    struct diff *d = m->diff;

    for (int side = DIFF_NEW; side >= DIFF_OLD; side--)
        for (size_t i = 0; i < m->matching.n; i++) {
            const struct keyed_function *e = &m->matching.functions[i];
            struct diff_row *row = &d->rows[e->group];

            if ((int)e->side != side || (side == DIFF_OLD && row->in[DIFF_NEW]))
                continue;
            if (row->name && !strcmp(row->name, e->key))
                continue;
            if (row->name && e->loose_key) {
                free(row->name);
                row->name = xstrdup(e->loose_key);
            } else if (!row->name) {
                row->name = xstrdup(e->key);
            }
        }
}

static void find_total(struct comparison *m)
{
    struct diff *d = m->diff;
    uint32_t n_events = d->common.n;

    start_row(d, &d->total);
    d->total.name = xstrdup("total");
    for (int side = 0; side < DIFF_SIDES; side++) {
        const struct cprof_profile *p = d->profile[side];

        d->total.in[side] = true;
        diff_add_common(d, (enum diff_side)side, d->total.counts[side], p->totals);
        if (!d->common.inclusive)
            continue;
        diff_add_common(d, (enum diff_side)side, d->total.counts[side] + n_events, p->totals);
        for (uint32_t f = 0; f < p->n_functions; f++)
            counts_add(d->total.counts[side] + 2 * n_events, &m->graph[side].calls[f], 1);
    }
}

/*--- The whole ---*/

static void free_comparison(struct comparison *m)
{
    matching_free(&m->matching);
    for (int side = 0; side < DIFF_SIDES; side++) {
        graph_free(&m->graph[side]);
        free(m->self[side]);
        free(m->around[side]);
    }
}

void diff_load(struct diff *diff, const struct cprof_profile *old_profile,
               const struct cprof_profile *new_profile, const struct noise *const noise[DIFF_SIDES])
{
    struct comparison m = {.diff = diff};

    *diff = (struct diff){.profile = {old_profile, new_profile}};
    find_events(diff);
    for (int side = 0; side < DIFF_SIDES; side++) {
        const struct cprof_profile *p = diff->profile[side];

        graph_load(&m.graph[side], p);
        find_self(&m, (enum diff_side)side);
        find_around(&m, (enum diff_side)side);
        diff->row_of[side] = xreallocarray(NULL, p->n_functions, sizeof *diff->row_of[side]);
        for (uint32_t f = 0; f < p->n_functions; f++)
            diff->row_of[side][f] = CPROF_NONE;
        matching_add(&m.matching, p, (enum diff_side)side, has_cost, &m);
    }
    matching_group(&m.matching);
    diff->n_loose = m.matching.n_loose;
    make_rows(&m);
    name_rows(&m);
    find_total(&m);
    for (int side = 0; side < DIFF_SIDES; side++)
        noise_thresholds_raise(diff, &m.matching, noise[side]);
    sample_noise_raise(diff);
    for (size_t i = 0; i < diff->n; i++) {
        struct diff_row *row = &diff->rows[i];

        row->index = (uint32_t)i;
        row->empty = !counts_any(row->counts[DIFF_OLD], (uint32_t)diff->width) &&
                     !counts_any(row->counts[DIFF_NEW], (uint32_t)diff->width);
    }
    free_comparison(&m);
}

static void free_row(struct diff_row *row)
{
    for (size_t i = 0; i < row->n_aliases; i++)
        free(row->aliases[i]);
    free(row->aliases);
    free(row->label);
    free(row->name);
    free(row->noise_threshold);
    for (int side = 0; side < DIFF_SIDES; side++)
        free(row->counts[side]);
}

void diff_filter(struct diff *diff, const regex_t *function, const regex_t *file)
{
    size_t kept = 0;

    for (size_t i = 0; i < diff->n; i++) {
        struct diff_row *r = &diff->rows[i];
        const char *path = r->file ? r->file : r->object ? r->object : "";

        if (!r->empty &&
            (!function || regexec(function, r->name, 0, NULL, 0) == 0 ||
             (r->label && regexec(function, r->label, 0, NULL, 0) == 0)) &&
            (!file || regexec(file, path, 0, NULL, 0) == 0))
            diff->rows[kept++] = *r;
        else
            free_row(r);
    }
    diff->n = kept;
}

int64_t diff_delta(const struct column *column, const struct diff_row *row)
{
    int64_t old_value = column_value(column, row->counts[DIFF_OLD]);
    int64_t new_value = column_value(column, row->counts[DIFF_NEW]), delta;

    if (__builtin_sub_overflow(new_value, old_value, &delta))
        return new_value > old_value ? INT64_MAX : INT64_MIN;
    return delta;
}

/* The absolute value, which INT64_MIN has only as an unsigned number. */
static uint64_t magnitude(int64_t number)
{
    return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

bool diff_is_changed(const struct column *column, const struct diff_row *row)
{
    uint64_t change = magnitude(diff_delta(column, row));
    int64_t noise = row->noise_threshold ? column_value(column, row->noise_threshold) : 0;

    return change > magnitude(noise);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct diff_row *x = a, *y = b;
    bool x_changed = diff_is_changed(context, x), y_changed = diff_is_changed(context, y);
    uint64_t x_size = magnitude(diff_delta(context, x)), y_size = magnitude(diff_delta(context, y));

    if (x_changed != y_changed)
        return x_changed ? -1 : 1;
    if (x_size != y_size)
        return x_size > y_size ? -1 : 1;
    return strcmp(x->name, y->name);
}

void diff_sort(struct diff *diff, const struct column *column)
{
    if (diff->n)
        qsort_r(diff->rows, diff->n, sizeof *diff->rows, compare_rows, (void *)column);
}

void diff_free(struct diff *diff)
{
    for (size_t i = 0; i < diff->n; i++)
        free_row(&diff->rows[i]);
    free_row(&diff->total);
    free(diff->rows);
    free((void *)diff->common.items);
    for (int side = 0; side < DIFF_SIDES; side++) {
        free(diff->events[side]);
        free(diff->row_of[side]);
        free(diff->missing[side]);
    }
    *diff = (struct diff){.n = 0};
}
