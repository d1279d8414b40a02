/*
 * threads.h - one thread of a profile with call paths: the contexts below one root, such as
 * "[thread 1]".
 */
#ifndef DERIVE_THREADS_H
#define DERIVE_THREADS_H

#include "cprof.h"

/* A new profile of the contexts under context `root`, which has no parent: see part.h. Returns NULL
 * with `error` filled on failure. */
struct cprof_profile *thread_profile(const struct cprof_profile *profile, uint32_t root,
                                     struct cprof_error *error);

#endif
