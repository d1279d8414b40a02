#include <config.h>

#include "diff/noise_thresholds.h"

#include "base/counts.h"
#include "base/memory.h"
#include "table/share.h"

#include <stdlib.h>
#include <string.h>

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

void noise_thresholds_raise(struct diff *d, const struct matching *m, const struct noise *noise)
{
    int64_t *thresholds;

    if (!noise)
        return;
    if (noise->runs > d->runs)
        d->runs = noise->runs;
    thresholds = find_spreads(d, m, noise);
    for (size_t i = 0; i < d->n; i++)
        raise_row(d, &d->rows[i], thresholds + i * d->width);
    raise_row(d, &d->total, thresholds + d->n * d->width);
    free(thresholds);
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

/* The same of a row's counts from the event `first` on. */
static void sample_raise_row(const struct diff *d, struct diff_row *row, size_t first)
{
    int64_t *const counts[] = {
        [DIFF_OLD] = row->counts[DIFF_OLD] + first, [DIFF_NEW] = row->counts[DIFF_NEW] + first};

    sample_noise_raise_counts(d, counts, row->noise_threshold + first);
}

void sample_noise_raise(struct diff *d)
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
