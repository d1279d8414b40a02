/*
 * part.h - a part of a profile with call paths: some subtrees of its contexts.
 */
#ifndef DERIVE_PART_H
#define DERIVE_PART_H

#include "cprof.h"

#include <stdbool.h>

/*
 * A new profile of the contexts that are chosen, with their costs, calls and inclusive costs; with
 * a context, all below it is chosen. Those without a chosen parent are roots. Calls and inclusive
 * costs of functions that ran in no other context are those of the whole profile; the rest is
 * computed from the paths. It has neither where a function that ran outside too is recursive: its
 * paths hide the share of the part. Sections that were entered outside too are left out. Returns
 * NULL with `error` filled on failure. All objects keep their indices.
 */
struct cprof_profile *part_profile(const struct cprof_profile *profile, const bool *chosen,
                                   struct cprof_error *error);

/*--- Threads ---*/

/* One thread of a profile with call paths: the contexts below one root, such as "[thread 1]". */

/* A new profile of the contexts under context `root`, which has no parent: see part.h. Returns NULL
 * with `error` filled on failure. */
struct cprof_profile *thread_profile(const struct cprof_profile *profile, uint32_t root,
                                     struct cprof_error *error);

#endif
