/*
 * share.h - how far shares of samples can be believed: intervals of 95 %.
 *
 * That of a share is the score interval without continuity correction of E. B. Wilson, "Probable
 * inference, the law of succession, and statistical inference", J. Am. Stat. Assoc. 22 (1927),
 * 209-212. That of the difference of two shares is made of these, by R. G. Newcombe, "Interval
 * estimation for the difference between independent proportions", Stat. Med. 17 (1998), 873-890,
 * method 10.
 *
 * Both take samples for independent, as those of a clock nearly are.
 */
#ifndef TABLE_SHARE_H
#define TABLE_SHARE_H

#include "cprof.h"

#include <stdbool.h>
#include <stdint.h>

/* Shares from 0 to 1. */
struct share_interval {
    double low, high;
};

/* True where the profile's first event counts samples, which intervals are of. */
bool share_is_sampled(const struct cprof_profile *profile);
/* True where its first event is the time that threads waited. */
bool share_is_of_waits(const struct cprof_profile *profile);
/* The share `value` of `total`, in bounds: costs with callees may overlap in files of others. 0 of
 * nothing. */
double share_of(int64_t value, int64_t total);
/* The interval of the share `value` of `total`, of so many samples in all (at least 1). */
struct share_interval share_interval(int64_t value, int64_t total, int64_t samples);
/* True where the interval of the difference of `old_n` of `old_samples` and `new_n` of
 * `new_samples` (at least 1 each) has 0 in it: the change may be chance. */
bool share_change_is_noise(int64_t old_n, int64_t old_samples, int64_t new_n, int64_t new_samples);
/* The change of a number of samples that is chance in 95 % of cases, as numbers of independent
 * samples vary (Poisson). */
int64_t share_count_noise(int64_t old_n, int64_t new_n);

#endif
