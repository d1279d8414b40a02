/*
 * depth_limit.h - call paths cut at a depth.
 *
 * Some formats write every path from its root on: a path of 100,000 functions takes gigabytes
 * there.
 */
#ifndef DERIVE_DEPTH_LIMIT_H
#define DERIVE_DEPTH_LIMIT_H

#include "cprof.h"

/* The function that stands for all that is deeper than the limit. */
#define DEPTH_LIMIT_NAME "[deeper]"

/* The number of functions in the longest path, inlined ones included. */
uint32_t depth_limit_longest(const struct cprof_profile *profile);

/*
 * A profile with the same costs, and with paths of at most `depth` functions (one or more). A
 * longer path ends in one more function, DEPTH_LIMIT_NAME, the last of the profile's functions,
 * which has the cost of all that is deeper. Calls and inclusive costs are left out. Returns NULL
 * with `error` filled on failure. The caller frees the profile.
 */
struct cprof_profile *depth_limit_profile(const struct cprof_profile *profile, uint32_t depth,
                                          struct cprof_error *error);

#endif
