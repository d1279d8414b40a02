/*
 * cycles.h - functions that call each other in a circle.
 */
#ifndef CALLS_CYCLES_H
#define CALLS_CYCLES_H

#include "cprof.h"

/*
 * Numbers the profile's functions by their circle (strongly connected component of the call graph):
 * two are in the same one where each is reached from the other. A function in no circle has a
 * number of its own; one that calls only itself does, too. Returns n_functions numbers, for the
 * caller to free.
 */
uint32_t *cycles_find(const struct cprof_profile *profile);

#endif
