#include <config.h>

#include "diff/diff.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "diff/band.h"
#include "diff/matching.h"
#include "names/demangle.h"
#include "names/names.h"
#include "names/object_name.h"
#include "names/rust_name.h"
#include "table/rows.h"
#include "table/share.h"

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
    uint32_t *row_of_group = new_indices(m->matching.n_groups);
    const struct keyed_function **described_by =
        xcalloc(m->matching.n_groups + 1, sizeof *described_by);

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

/*--- Noise ---*/

/* Adds the spread of an item to `threshold`, which has the width of a row's counts. */
static void add_spread(const struct diff *d, int64_t *threshold, const struct noise *noise,
                       const struct noise_item *item)
{
    uint32_t n_events = d->common.n;

    for (uint32_t e = 0; e < n_events; e++) {
        size_t noise_at = noise_event(noise, d->common.items[e].name);
        int64_t spread;

        if (noise_at == SIZE_MAX)
            continue;
        spread = noise_spread(item, noise_at);
        counts_add(&threshold[e], &spread, 1);
        if (!d->common.inclusive)
            continue;
        /* the program's noise is that of its total, own or inclusive */
        if (item->key)
            spread = noise_spread(item, noise->n_events + noise_at);
        counts_add(&threshold[n_events + e], &spread, 1);
    }
    if (d->common.inclusive && item->key)
        count_add(&threshold[2 * n_events], noise_spread(item, noise_calls(noise)));
}

/* Finds the noise of one side: thresholds for each row, then those of the total. Each key counts
 * once, even where several functions have it. */
static int64_t *find_spreads(const struct diff *d, const struct matching *m,
                             const struct noise *noise)
{
    int64_t *thresholds = xcalloc((d->n + 1) * d->width + 1, sizeof *thresholds);
    const char *last = NULL;

    for (size_t i = 0; i < m->n; i++) {
        const struct keyed_function *e = &m->functions[i];
        const struct noise_item *item;

        if (last && strcmp(last, e->key) == 0)
            continue;
        last = e->key;
        item = noise_find(noise, last);
        if (item)
            add_spread(d, thresholds + e->group * d->width, noise, item);
    }
    add_spread(d, thresholds + d->n * d->width, noise, &noise->total);
    return thresholds;
}

static void raise_row(const struct diff *d, struct diff_row *row, const int64_t *threshold)
{
    if (!row->noise_threshold)
        row->noise_threshold = xcalloc(d->width, sizeof *row->noise_threshold);
    for (size_t i = 0; i < d->width; i++)
        if (threshold[i] > row->noise_threshold[i])
            row->noise_threshold[i] = threshold[i];
}

/* Raises the thresholds of all rows and of the total to the noise of one side, which may be NULL.
 * The groups of `matching` are the diff's rows. */
static void noise_thresholds_raise(struct diff *d, const struct matching *m,
                                   const struct noise *noise)
{
    int64_t *thresholds;

    if (!noise)
        return;
    if (noise->runs > d->runs)
        d->runs = noise->runs;
    d->orders |= noise->orders;
    thresholds = find_spreads(d, m, noise);
    for (size_t i = 0; i < d->n; i++)
        raise_row(d, &d->rows[i], thresholds + i * d->width);
    raise_row(d, &d->total, thresholds + d->n * d->width);
    free(thresholds);
}

/*--- Orders of threads ---*/

unsigned diff_orders(const struct cprof_profile *profile, const struct noise *noise)
{
    if (profile->threads < 2)
        return 0;
    return noise && noise->orders ? noise->runs : 1;
}

/* Finds the bands of all rows on one side, where its noise is of orders. Each key counts once. */
static void bands_find(struct diff *d, const struct matching *m, enum diff_side side)
{
    const struct noise *noise = d->noise[side];

    if (!noise || !noise->orders)
        return;
    for (size_t i = 0; i < d->n; i++)
        d->rows[i].band[side] = diff_band_of(d, side, NULL, d->rows[i].counts[side]);
    for (size_t i = 0; i < m->n; i++) {
        const struct keyed_function *e = &m->functions[i];
        const struct noise_item *item =
            i && !strcmp(m->functions[i - 1].key, e->key) ? NULL : noise_find(noise, e->key);

        if (item)
            diff_band_add(d, side, &d->rows[e->group].band[side], item);
    }
    d->total.band[side] = diff_band_of(d, side, &noise->total, d->total.counts[side]);
}

/* A count that all orders changed by one number of, changed by that. */
static void lower_threshold(const struct diff *d, struct diff_row *row)
{
    const struct diff_band *old = &row->band[DIFF_OLD], *new = &row->band[DIFF_NEW];

    for (size_t at = 0; row->noise_threshold && old->n && old->n == new->n &&at < d->width; at++) {
        size_t i = at + d->width, end = old->n * d->width;

        while (i < end && (__int128)new->counts[i] - old->counts[i] ==
                              (__int128)new->counts[at] - old->counts[at])
            i += d->width;
        if (i >= end)
            row->noise_threshold[at] = 0;
    }
}

/*--- Samples ---*/

void sample_noise_raise_counts(const struct diff *d, int64_t *const counts[DIFF_SIDES],
                               int64_t *thresholds)
{
    int64_t old_n = counts[DIFF_OLD][0], new_n = counts[DIFF_NEW][0];
    int64_t old_all = d->total.counts[DIFF_OLD][0], new_all = d->total.counts[DIFF_NEW][0];
    bool is_noise = share_change_is_noise(old_n, old_all, new_n, new_all);
    int64_t little = share_count_noise(old_n, new_n), most = old_n > new_n ? old_n : new_n;

    for (size_t e = 0; e < d->common.n; e++) {
        int64_t from = counts[DIFF_OLD][e], to = counts[DIFF_NEW][e];
        int64_t change = from > to ? from - to : to - from;
        /* what a sample of the event stands for, by the side that has more */
        double weight = most > 0 ? (double)(from > to ? from : to) / (double)most : 1;
        int64_t threshold = is_noise ? change : (int64_t)((double)little * weight);

        if (threshold > thresholds[e])
            thresholds[e] = threshold;
    }
}

/* sample_noise_raise_counts() for a row's counts from the event `first` on. */
static void sample_raise_row(const struct diff *d, struct diff_row *row, size_t first)
{
    int64_t *const counts[] = {
        [DIFF_OLD] = row->counts[DIFF_OLD] + first, [DIFF_NEW] = row->counts[DIFF_NEW] + first};

    sample_noise_raise_counts(d, counts, row->noise_threshold + first);
}

/* Raises the thresholds of all rows where both profiles are of samples, and notes that in the diff:
 * to a row's change where the interval of the difference of its shares has 0 in it (share.h), else
 * to what numbers of samples vary by. The total has none: how long a program takes is not known to
 * vary by chance alone. */
static void sample_noise_raise(struct diff *d)
{
    if (!share_is_sampled(d->profile[DIFF_OLD]) || !share_is_sampled(d->profile[DIFF_NEW]) ||
        d->total.counts[DIFF_OLD][0] < 1 || d->total.counts[DIFF_NEW][0] < 1)
        return;
    d->sampled = true;
    for (size_t i = 0; i < d->n; i++) {
        struct diff_row *row = &d->rows[i];

        if (!row->noise_threshold)
            row->noise_threshold = xcalloc(d->width, sizeof *row->noise_threshold);
        sample_raise_row(d, row, 0);
        if (d->width >= 2 * (size_t)d->common.n)
            sample_raise_row(d, row, d->common.n);
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

    *diff = (struct diff){.profile = {old_profile, new_profile},
                          .noise = {noise[DIFF_OLD], noise[DIFF_NEW]}};
    find_events(diff);
    for (int side = 0; side < DIFF_SIDES; side++) {
        const struct cprof_profile *p = diff->profile[side];

        graph_load(&m.graph[side], p);
        find_self(&m, (enum diff_side)side);
        find_around(&m, (enum diff_side)side);
        diff->row_of[side] = new_indices(p->n_functions);
        matching_add(&m.matching, p, (enum diff_side)side, has_cost, &m);
    }
    matching_group(&m.matching);
    diff->n_loose = m.matching.n_loose;
    make_rows(&m);
    name_rows(&m);
    find_total(&m);
    for (int side = 0; side < DIFF_SIDES; side++) {
        noise_thresholds_raise(diff, &m.matching, noise[side]);
        bands_find(diff, &m.matching, (enum diff_side)side);
    }
    for (size_t i = 0; i < diff->n; i++)
        lower_threshold(diff, &diff->rows[i]);
    lower_threshold(diff, &diff->total);
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
    for (int side = 0; side < DIFF_SIDES; side++) {
        diff_band_free(&row->band[side]);
        free(row->counts[side]);
    }
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
    return count_change(column_value(column, row->counts[DIFF_OLD]),
                        column_value(column, row->counts[DIFF_NEW]));
}

bool diff_is_changed(const struct column *column, const struct diff_row *row)
{
    uint64_t change = count_size(diff_delta(column, row));
    int64_t noise = row->noise_threshold ? column_value(column, row->noise_threshold) : 0;

    return change > count_size(noise);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct diff_row *x = a, *y = b;
    bool x_changed = diff_is_changed(context, x), y_changed = diff_is_changed(context, y);
    uint64_t x_size = count_size(diff_delta(context, x)),
             y_size = count_size(diff_delta(context, y));

    if (x_changed != y_changed)
        return x_changed ? -1 : 1;
    COMPARE(y_size, x_size);
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

static const struct cprof_function *function_of(const struct diff *d, const struct diff_row *row)
{
    return &d->profile[row->side]->functions[row->function];
}

/*--- Instances ---*/

/* An instance of a row's function. */
struct instance {
    uint32_t row, id;
};

/* A number that instances of one function do not share, by chance apart; parts of one
 * (".cold") do. */
static uint32_t instance_id(const char *linkage)
{
    const char *hash = rust_hash_of(linkage);

    return hash ? map_hash_bytes(hash, RUST_HASH_DIGITS, 0)
                : map_hash_bytes(linkage, strcspn(linkage, "."), 0);
}

static int compare_instances(const void *a, const void *b)
{
    const struct instance *x = a, *y = b;

    COMPARE(x->row, y->row);
    return (x->id > y->id) - (x->id < y->id);
}

/* The number of instances in each row, by its index, on the side that describes it; 0 where it is
 * not Rust. The caller frees it. */
static uint32_t *count_instances(const struct diff *d)
{
    uint32_t *counts = xcalloc(d->n_all + 1, sizeof *counts);
    const struct diff_row **rows = xcalloc(d->n_all + 1, sizeof *rows);

    for (size_t i = 0; i < d->n; i++)
        rows[d->rows[i].index] = &d->rows[i];
    for (int side = 0; side < DIFF_SIDES; side++) {
        const struct cprof_profile *p = d->profile[side];
        struct instance *items = xcalloc((size_t)p->n_functions + 1, sizeof *items);
        size_t n = 0;

        for (uint32_t f = 0; f < p->n_functions; f++) {
            const char *linkage =
                p->functions[f].mangled ? p->functions[f].mangled : p->functions[f].name;
            uint32_t row = d->row_of[side][f];

            if (row != CPROF_NONE && rows[row] && (int)rows[row]->side == side &&
                rust_is_linkage(linkage))
                items[n++] = (struct instance){row, instance_id(linkage)};
        }
        sort_items(items, n, sizeof *items, compare_instances);
        for (size_t i = 0; i < n; i++)
            counts[items[i].row] += !i || compare_instances(&items[i - 1], &items[i]) != 0;
        free(items);
    }
    free(rows);
    return counts;
}

/*--- Labels ---*/

/* The short name of a row, for the caller to free: of one function that of a table of its profile,
 * which are `names`. */
static char *short_name(const struct diff *d, const struct diff_row *row,
                        char *const *const names[DIFF_SIDES])
{
    const struct cprof_function *f = function_of(d, row);

    if (!strcmp(row->name, UNNAMED))
        return xstrdup(row->name);
    if (row->n_functions[row->side] == 1)
        return xstrdup(names[row->side][row->function]);
    return rust_is_linkage(f->mangled ? f->mangled : f->name) ? rust_short_name(row->name)
                                                              : xstrdup(row->name);
}

static const char *row_label(const void *diff, size_t i)
{
    return ((const struct diff *)diff)->rows[i].label;
}

static int compare_looks(const void *diff, size_t a, size_t b)
{
    const struct diff_row *x = &((const struct diff *)diff)->rows[a];
    const struct diff_row *y = &((const struct diff *)diff)->rows[b];
    int order = strcmp(x->label, y->label);

    if (!order)
        order = compare_texts(x->file, y->file);
    if (order)
        return order;
    COMPARE(x->line, y->line);
    return compare_texts(x->object, y->object);
}

static void take_own_names(void *diff, const size_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct diff_row *row = &((struct diff *)diff)->rows[rows[i]];

        free(row->label);
        row->label = xstrdup(row->name);
    }
}

static void add_instances(struct diff *d)
{
    uint32_t *instances = count_instances(d);

    for (size_t i = 0; i < d->n; i++) {
        struct diff_row *row = &d->rows[i];
        char *label = row->label;

        if (instances[row->index] < 2)
            continue;
        row->label = xasprintf("%s [%s instances]", label, TEXT_COUNT(instances[row->index]));
        free(label);
    }
    free(instances);
}

/* Sets the labels to short names. */
static void set_short(struct diff *d)
{
    static const struct repeated equal_looks = {
        .text = row_label, .compare = compare_looks, .use = take_own_names};
    char **names[DIFF_SIDES];

    for (int side = 0; side < DIFF_SIDES; side++)
        names[side] = names_short(d->profile[side]);
    for (size_t i = 0; i < d->n; i++)
        d->rows[i].label = short_name(d, &d->rows[i], (char *const *const *)names);
    repeated_each(&equal_looks, d, d->n);
    for (int side = 0; side < DIFF_SIDES; side++) {
        for (uint32_t f = 0; f < d->profile[side]->n_functions; f++)
            free(names[side][f]);
        free(names[side]);
    }
}

static void set_linkage(struct diff *d)
{
    for (size_t i = 0; i < d->n; i++) {
        struct diff_row *row = &d->rows[i];
        const char *linkage = function_of(d, row)->mangled;

        row->label = xstrdup(linkage ? linkage : row->name);
    }
}

void diff_set_labels(struct diff *d, enum name_style style)
{
    for (size_t i = 0; i < d->n; i++)
        free(d->rows[i].label);
    if (style == NAME_SHORT)
        set_short(d);
    else if (style == NAME_RAW)
        set_linkage(d);
    else
        for (size_t i = 0; i < d->n; i++)
            d->rows[i].label = xstrdup(d->rows[i].name);
    if (style != NAME_RAW)
        add_instances(d);
}

/*--- Aliases ---*/

static void add_alias(struct diff_row *row, const char *name)
{
    if (!strcmp(name, row->name))
        return;
    for (size_t i = 0; i < row->n_aliases; i++)
        if (!strcmp(name, row->aliases[i]))
            return;
    row->aliases = xreallocarray(row->aliases, row->n_aliases + 1, sizeof *row->aliases);
    row->aliases[row->n_aliases++] = xstrdup(name);
}

/* More names than this has only a row of a hostile file. */
enum { ALIASES_MAX = 1000 };

static void add_aliases(struct diff *d, struct diff_row **rows, enum diff_side side)
{
    const struct cprof_profile *p = d->profile[side];
    char **names = names_short(p);

    for (uint32_t f = 0; f < p->n_functions; f++) {
        struct diff_row *row = d->row_of[side][f] == CPROF_NONE ? NULL : rows[d->row_of[side][f]];
        const struct cprof_function *function = &p->functions[f];
        char *full, *brief;

        if (row && row->n_aliases < ALIASES_MAX) {
            full = demangle(function->mangled ? function->mangled : function->name);
            brief = names_short_one(function);
            add_alias(row, full ? full : function->name);
            add_alias(row, names[f]);
            add_alias(row, brief); /* without arguments */
            free(full);
            free(brief);
        }
        free(names[f]);
    }
    free(names);
}

void diff_set_aliases(struct diff *d)
{
    struct diff_row **rows = xcalloc(d->n_all + 1, sizeof *rows);

    for (size_t i = 0; i < d->n; i++)
        rows[d->rows[i].index] = &d->rows[i];
    for (int side = 0; side < DIFF_SIDES; side++)
        add_aliases(d, rows, (enum diff_side)side);
    free(rows);
}
