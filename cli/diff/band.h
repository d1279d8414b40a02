/*
 * band.h - the counts that a side has in several orders of threads.
 *
 * A noise has how its runs, one an order, differ from the first; a band has these differences added
 * to the counts that are compared.
 */
#ifndef DIFF_BAND_H
#define DIFF_BAND_H

#include "diff/diff.h"
#include "diff/noise.h"

/* The band of a side's counts, `width` ones, which are `item`'s in its noise; NULL: they do not
 * vary. diff_band_free() frees it; it is empty where the noise is of no orders. */
struct diff_band diff_band_of(const struct diff *diff, enum diff_side side,
                              const struct noise_item *item, const int64_t *counts);
/* Adds how an item varies to a band that is not empty. */
void diff_band_add(const struct diff *diff, enum diff_side side, struct diff_band *band,
                   const struct noise_item *item);
void diff_band_free(struct diff_band *band);

#endif
