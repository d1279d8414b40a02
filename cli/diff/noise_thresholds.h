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

#endif
