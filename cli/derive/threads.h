/*
 * threads.h - one thread of a profile with call paths: what hangs from one root such as
 * "[thread 1]".
 */
#ifndef DERIVE_THREADS_H
#define DERIVE_THREADS_H

#include "cprof.h"

/*
 * A new profile of the contexts under context `root`, which has no parent: their costs, calls and
 * inclusive costs. The latter two are those of the whole for what no other thread ran, and are
 * computed from the paths for the rest; a function of these that is recursive hides them, since its
 * paths are folded: then there are none. NULL with `error` filled. All objects keep their indices.
 */
struct cprof_profile *thread_profile(const struct cprof_profile *profile, uint32_t root,
                                     struct cprof_error *error);

#endif
