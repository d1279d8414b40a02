/*
 * noise_thresholds.h - the noise threshold of each row of a diff, from the measured noise of a
 * side.
 */
#ifndef DIFF_NOISE_THRESHOLDS_H
#define DIFF_NOISE_THRESHOLDS_H

#include "diff/diff.h"
#include "diff/matching.h"

/* Raises the thresholds of all rows and of the total to the noise of one side, which may be NULL.
 * The groups of `matching` are the diff's rows. */
void noise_thresholds_raise(struct diff *diff, const struct matching *matching,
                            const struct noise *noise);

/*--- Samples ---*/

/*
 * The noise thresholds of a diff of two sampled profiles: what chance alone may do
 * to the number of a function's samples.
 */

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
