/*
 * paths.h - the call paths of a profile; or, where they are not known, what was inlined where.
 */
#ifndef PARSER_PATHS_H
#define PARSER_PATHS_H

#include "cprof.h"

/* A tree of contexts with their costs. */
struct paths {
    const struct cprof_profile *profile; /* whose events, functions and files these are */
    uint32_t n;
    const struct cprof_context *contexts;
    uint32_t n_costs;
    const struct cprof_cost *costs;
    const int64_t *values; /* n_costs rows of n_events */
    /* 1: call paths. 0: each root is a function, with what was inlined into it below; costs have no
     * addresses. Only a profile that addresses were resolved for has these, and no file. */
    int known;
};

/* The call paths of a profile, or else what was inlined where; n is 0 where it has neither. They
 * are the profile's. */
struct paths profile_paths(const struct cprof_profile *profile);

/* The n_events counts of record `i` of the costs. */
static inline const int64_t *paths_values(const struct paths *paths, uint32_t i)
{
    return paths->values + (size_t)i * paths->profile->n_events;
}

#endif
