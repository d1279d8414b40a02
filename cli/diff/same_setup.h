/*
 * same_setup.h - whether two profiles are of one job: of the same arguments, input, build and
 * caches.
 */
#ifndef DIFF_SAME_SETUP_H
#define DIFF_SAME_SETUP_H

#include "cprof.h"

/* "arguments 1 -> 2; features as usual -> fast": where two runs differ, in one line, for the caller
 * to free; NULL: nowhere that both profiles know of. */
char *setup_differences(const struct cprof_profile *old, const struct cprof_profile *new);
/* Warns of that; returns it, too. */
char *setup_warn(const struct cprof_profile *old, const struct cprof_profile *new);

#endif
