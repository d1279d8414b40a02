#include <config.h>

#include "diff/band.h"

#include "base/counts.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A band of orders that are all equal. */
static struct diff_band begin_band(const struct diff *d, const struct noise *noise,
                                   const int64_t *counts)
{
    struct diff_band band = {noise->runs,
                             xcalloc(noise->runs, (d->width + 1) * sizeof *band.counts)};

    for (size_t i = 0; i < band.n; i++)
        memcpy(band.counts + i * d->width, counts, d->width * sizeof *counts);
    return band;
}

void diff_band_free(struct diff_band *band)
{
    free(band->counts);
    *band = (struct diff_band){.n = 0};
}

/* Adds by how much a count in each order differs from the first one's. */
static void add_differences(const struct diff *d, struct diff_band *band, size_t at,
                            const struct noise *noise, const struct noise_item *item,
                            size_t noise_at)
{
    const int64_t *each = item->each + noise_at;

    for (size_t i = 1; i < band->n; i++) {
        int64_t difference;

        if (!__builtin_sub_overflow(each[i * noise_width(noise)], each[0], &difference))
            count_add(&band->counts[i * d->width + at], difference);
    }
}

void diff_band_add(const struct diff *d, enum diff_side side, struct diff_band *band,
                   const struct noise_item *item)
{
    const struct noise *noise = d->noise[side];
    uint32_t n = d->common.n;

    for (uint32_t e = 0; e < n; e++) {
        size_t at = noise_event(noise, d->common.items[e].name);

        if (at == SIZE_MAX)
            continue;
        add_differences(d, band, e, noise, item, at);
        if (d->common.inclusive)
            add_differences(d, band, n + e, noise, item, item->key ? noise->n_events + at : at);
    }
    if (d->common.inclusive && item->key)
        add_differences(d, band, 2 * (size_t)n, noise, item, noise_calls(noise));
}

struct diff_band diff_band_of(const struct diff *d, enum diff_side side,
                              const struct noise_item *item, const int64_t *counts)
{
    const struct noise *noise = d->noise[side];
    struct diff_band band;

    if (!noise || !noise->orders)
        return (struct diff_band){.n = 0};
    band = begin_band(d, noise, counts);
    if (item)
        diff_band_add(d, side, &band, item);
    return band;
}
