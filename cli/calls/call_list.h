/*
 * call_list.h - search in a profile's calls, which are sorted by caller.
 */
#ifndef CALLS_CALL_LIST_H
#define CALLS_CALL_LIST_H

#include "base/array.h"
#include "cprof.h"

static inline bool call_list_is_before(const void *call, const void *caller)
{
    return ((const struct cprof_call *)call)->caller < *(const uint32_t *)caller;
}

/* The index of the first call by function `caller`; where it calls nothing, that of the next
 * caller's first call, or n_calls. */
static inline uint32_t call_list_first(const struct cprof_profile *profile, uint32_t caller)
{
    return (uint32_t)lower_bound(profile->calls, profile->n_calls, sizeof *profile->calls,
                                 call_list_is_before, &caller);
}

#endif
