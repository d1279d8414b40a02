/*
 * recursion_fold.h - call paths on which each function is once.
 *
 * Samples have their stacks as they were, which is what other tools want of them. Tables and trees
 * show recursion folded, as it is in what was counted: a call of a function that is on the path
 * leads back to its context there. Costs, calls and inclusive costs of functions stay.
 */
#ifndef DERIVE_RECURSION_FOLD_H
#define DERIVE_RECURSION_FOLD_H

#include "cprof.h"

#include <stdbool.h>

/* Tells whether a function that has a name is on a path more than once, called each time. */
bool recursion_is_on_paths(const struct cprof_profile *profile);
/* A new profile with folded call paths, or NULL with `error` filled. */
struct cprof_profile *recursion_fold(const struct cprof_profile *profile,
                                     struct cprof_error *error);

#endif
