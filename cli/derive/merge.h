/*
 * merge.h - the sum of several profiles: of parts, threads, processes or runs.
 */
#ifndef DERIVE_MERGE_H
#define DERIVE_MERGE_H

#include "cprof.h"

#include <stddef.h>

/*
 * The sum of `n` >= 1 profiles with names. Functions of one object, file and name are one; an event
 * that a profile lacks counts 0 there. Call paths are kept where all profiles have them, and so are
 * inclusive costs that need no call edges. Command, caches and exit are the first profile's; that a
 * signal ended one of the programs holds for the sum.
 * Returns NULL with `error` filled where a sum exceeds 2^63-1.
 */
struct cprof_profile *merge_profiles(struct cprof_profile *const *profiles, size_t n,
                                     struct cprof_error *error);

#endif
