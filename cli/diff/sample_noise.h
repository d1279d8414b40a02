/*
 * sample_noise.h - the noise thresholds of a diff of two sampled profiles: what chance alone may do
 * to the number of a function's samples.
 */
#ifndef DIFF_SAMPLE_NOISE_H
#define DIFF_SAMPLE_NOISE_H

#include "diff/diff.h"

/* Raises the thresholds of all rows where both profiles are of samples, and notes that in the diff:
 * to a row's change where the interval of the difference of its shares has 0 in it (share.h), else
 * to what numbers of samples vary by. The total has none: how long a program takes is not known to
 * vary by chance alone. */
void sample_noise_raise(struct diff *diff);

/* Raises the thresholds of such a diff's common events by counts of these, of something that is no
 * row. */
void sample_noise_raise_counts(const struct diff *diff, int64_t *const counts[DIFF_SIDES],
                               int64_t *thresholds);

#endif
