/*
 * own_views.h - two profiles with as much as both know of what other code cost for whom.
 */
#ifndef DIFF_OWN_VIEWS_H
#define DIFF_OWN_VIEWS_H

#include "cprof_internal.h"
#include "diff/diff.h"
#include "names/crates.h"

#include <stdbool.h>

/* Finds the call paths of both where both have them (true); else what was inlined where, if both
 * know that; else nothing. */
bool own_common_paths(const struct cprof_profile *const profiles[DIFF_SIDES],
                      struct paths paths[DIFF_SIDES]);

/* Makes a flag for each function of each side: it is own code. A function is that on both sides
 * where it is on side `first`, or, of one that is not there, on the other. `group_of` says by
 * function what is one on both sides: a number below `n_groups`, or CPROF_NONE. The caller frees
 * both arrays. */
void own_common_functions(bool *own[DIFF_SIDES],
                          const struct cprof_profile *const profiles[DIFF_SIDES],
                          uint32_t *const group_of[DIFF_SIDES], size_t n_groups,
                          const struct crates *const crates[DIFF_SIDES], enum diff_side first);

#endif
