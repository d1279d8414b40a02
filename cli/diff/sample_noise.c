#include <config.h>

#include "diff/sample_noise.h"

#include "base/memory.h"
#include "table/share.h"

#include <stdlib.h>

void sample_noise_raise_counts(const struct diff *d, int64_t *const counts[DIFF_SIDES],
                               int64_t *thresholds)
{
    int64_t old_n = counts[DIFF_OLD][0], new_n = counts[DIFF_NEW][0];
    int64_t old_all = d->total.counts[DIFF_OLD][0], new_all = d->total.counts[DIFF_NEW][0];
    bool is_noise = share_change_is_noise(old_n, old_all, new_n, new_all);
    int64_t little = share_count_noise(old_n, new_n), most = old_n > new_n ? old_n : new_n;

    for (size_t e = 0; e < d->common.n_events; e++) {
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
static void raise_row(const struct diff *d, struct diff_row *row, size_t first)
{
    int64_t *const counts[] = {
        [DIFF_OLD] = row->counts[DIFF_OLD] + first, [DIFF_NEW] = row->counts[DIFF_NEW] + first};

    sample_noise_raise_counts(d, counts, row->noise_threshold + first);
}

void sample_noise_raise(struct diff *d)
{
    if (!share_is_sampled(&d->common) || !share_is_sampled(d->profile[DIFF_OLD]) ||
        !share_is_sampled(d->profile[DIFF_NEW]) || d->total.counts[DIFF_OLD][0] < 1 ||
        d->total.counts[DIFF_NEW][0] < 1)
        return;
    d->sampled = true;
    for (size_t i = 0; i < d->n; i++) {
        struct diff_row *row = &d->rows[i];

        if (!row->noise_threshold)
            row->noise_threshold = xcalloc(d->width, sizeof *row->noise_threshold);
        raise_row(d, row, 0);
        if (d->width >= 2 * (size_t)d->common.n_events)
            raise_row(d, row, d->common.n_events);
    }
}
