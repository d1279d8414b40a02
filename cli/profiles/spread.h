/*
 * spread.h - how far repeated runs may differ: further than chance, they did not do the same work,
 * and nothing can be told from a comparison with them.
 */
#ifndef PROFILES_SPREAD_H
#define PROFILES_SPREAD_H

#include "cprof.h"
#include "diff/gate.h"
#include "diff/noise.h"

/*
 * "total Ir of 3 runs varied by 99.98 %, and over 20 % is no noise": why runs cannot be held
 * against others, for the caller to free; NULL: they can. `noise` is of runs of `profile`, or NULL.
 * That is asked of the first event and of `gate`'s, which may be NULL.
 */
char *spread_problem(const struct noise *noise, const struct cprof_profile *profile,
                     const struct gate *gate);

#define SPREAD_ADVICE                                                                 \
    "the runs did not do the same work: give each the same input and files, and see " \
    "what varies by --repeat"

#endif
