/*
 * short_paths.h - profiles with shorter call paths: without recursion, from own code on, or down to
 * a depth.
 */
#ifndef DERIVE_SHORT_PATHS_H
#define DERIVE_SHORT_PATHS_H

#include "cprof.h"

#include <stdbool.h>

/*--- Recursion ---*/

/*
 * Samples have their stacks as they were, which is what other tools want of them. Tables and trees
 * show recursion folded, as it is in what was counted: a call of a function that is on the path
 * leads back to its context there. Costs, calls and inclusive costs of functions stay.
 */

/* Tells whether a function that has a name is on a path more than once, called each time. */
bool recursion_is_on_paths(const struct cprof_profile *profile);
/* A new profile with folded call paths, or NULL with `error` filled. */
struct cprof_profile *recursion_fold(const struct cprof_profile *profile,
                                     struct cprof_error *error);

/*--- Start-up ---*/

/*
 * Formats for other tools have each frame of a path, and some twenty of a Rust program's only start
 * it or a thread of it.
 */

/* The function that stands for all that is not below own code. */
#define STARTUP_NAME "[start-up]"

/*
 * A profile with the same costs, whose paths begin at their first function of which `own` has a
 * flag. Costs above such functions, and of what is called there besides, are those of one more
 * function, STARTUP_NAME, the last of the profile's. Threads that never run own code keep their
 * paths. Calls and inclusive costs are left out. Returns NULL with `error` filled on failure. The
 * caller frees the profile.
 */
struct cprof_profile *startup_profile(const struct cprof_profile *profile, const bool *own,
                                      struct cprof_error *error);

/*--- Depth ---*/

/*
 * Some formats write every path from its root on: a path of 100,000 functions takes gigabytes
 * there.
 */

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
