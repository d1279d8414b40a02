/*
 * merge.h - several profiles as one: parts, threads, processes, runs.
 */
#ifndef DERIVE_MERGE_H
#define DERIVE_MERGE_H

#include "cprof.h"

#include <stddef.h>

/*
 * The sum of `n` >= 1 profiles with names. Functions of one object, file and name are one; events
 * that some lack count 0 there. Call paths, and inclusive costs that need no call edges, are kept
 * where all have them. What is said of the program (command, caches, exit) is the first's. NULL
 * with `error` filled where a sum exceeds 2^63-1.
 */
struct cprof_profile *merge_profiles(struct cprof_profile *const *profiles, size_t n,
                                     struct cprof_error *error);

#endif
