/*
 * roots.h - what call paths begin with that is no code: "[thread 1]", "[thread 2: worker]",
 * "[stack cut off]".
 */
#ifndef NAMES_ROOTS_H
#define NAMES_ROOTS_H

#include "cprof.h"

#include <stdbool.h>

/* True for the function that a thread's paths begin with. */
bool root_is_thread(const struct cprof_function *function);
/* True for that of the first thread: "[thread 1]", "[thread 1: main]". */
bool root_is_first_thread(const struct cprof_function *function);
/* True for the function that stacks begin with whose beginning nobody knows. */
bool root_is_cut(const struct cprof_function *function);
/* True where paths that leave start-up out may begin at a function: at own code, of which `own` has
 * a flag, or where a stack was cut off. */
static inline bool root_may_be(const struct cprof_profile *profile, const bool *own,
                               uint32_t function)
{
    return own[function] || root_is_cut(&profile->functions[function]);
}

#endif
