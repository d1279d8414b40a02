/*
 * path_sums.h - the cost of each call path with all paths that go on from it.
 */
#ifndef DERIVE_PATH_SUMS_H
#define DERIVE_PATH_SUMS_H

#include "cprof.h"

/* The costs of each context and of all contexts below it: n_contexts rows of n_events. The caller
 * frees them. */
int64_t *path_sums(const struct cprof_profile *profile);

#endif
