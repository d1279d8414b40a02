/*
 * depth_limit.h - call paths that end at a depth: for formats that write every path from its root
 * on, of which a path of 100,000 functions takes gigabytes.
 */
#ifndef DERIVE_DEPTH_LIMIT_H
#define DERIVE_DEPTH_LIMIT_H

#include "cprof.h"

/* The function that stands for all that is below the last one of a path. */
#define DEPTH_LIMIT_NAME "[deeper]"

/* How many functions the longest path has, those that were inlined included. */
uint32_t depth_limit_longest(const struct cprof_profile *profile);

/*
 * A profile with the same costs and the paths up to `depth` functions, at least one. Below the last
 * one of a longer path is one more, DEPTH_LIMIT_NAME, the last of all functions, which has what all
 * below cost. Calls and inclusive costs are left out. NULL with `error` filled. The caller frees
 * it.
 */
struct cprof_profile *depth_limit_profile(const struct cprof_profile *profile, uint32_t depth,
                                          struct cprof_error *error);

#endif
