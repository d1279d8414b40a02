/*
 * startup_profile.h - call paths that begin at own code.
 *
 * Formats for other tools have each frame of a path, and some twenty of a Rust program's only start
 * it or a thread of it.
 */
#ifndef DERIVE_STARTUP_PROFILE_H
#define DERIVE_STARTUP_PROFILE_H

#include "cprof.h"

#include <stdbool.h>

/* The function that stands for all that is not below own code. */
#define STARTUP_NAME "[start-up]"

/*
 * A profile with the same costs, whose paths begin at their first function of which `own` has a
 * flag. Costs above such functions, and of what is called there besides, are those of one more
 * function, STARTUP_NAME, the last of the profile's. Threads that never run own code keep their
 * paths. Calls and inclusive costs are left out. Returns NULL with `error` filled on failure. The
 * caller frees the profile.
 */
struct cprof_profile *startup_profile(const struct cprof_profile *profile, const bool *own,
                                      struct cprof_error *error);

#endif
