/*
 * threads.h - one thread of a profile with call paths: what hangs from one root such as
 * "[thread 1]".
 */
#ifndef MODEL_THREADS_H
#define MODEL_THREADS_H

#include "cprof.h"

/*
 * A new profile of the contexts under context `root`, which has no parent: their costs and their
 * calls. Inclusive costs are computed from the paths; that is the truth but where functions called
 * each other in a circle, since paths are folded there: then there are none. NULL with `error`
 * filled. All objects keep their indices.
 */
struct cprof_profile *thread_profile(const struct cprof_profile *profile, uint32_t root,
                                     struct cprof_error *error);

#endif
