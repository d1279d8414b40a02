/*
 * threads.h - one thread of a profile with call paths: the contexts below one root, such as
 * "[thread 1]".
 */
#ifndef DERIVE_THREADS_H
#define DERIVE_THREADS_H

#include "cprof.h"

/*
 * A new profile of the contexts under context `root`, which has no parent: their costs, calls and
 * inclusive costs. Calls and inclusive costs of functions that no other thread ran are those of the
 * whole profile; the rest is computed from the paths. It has neither where a function that other
 * threads ran too is recursive: its paths hide this thread's share. Returns NULL with `error`
 * filled on failure. All objects keep their indices.
 */
struct cprof_profile *thread_profile(const struct cprof_profile *profile, uint32_t root,
                                     struct cprof_error *error);

#endif
