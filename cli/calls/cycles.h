/*
 * cycles.h - cycles of functions that call each other.
 */
#ifndef CALLS_CYCLES_H
#define CALLS_CYCLES_H

#include "cprof.h"

/*
 * Numbers the profile's functions by their cycle (strongly connected component of the call graph).
 * Two functions are in one cycle where each can be reached from the other. A function in no cycle
 * has a number of its own, and so has one that calls only itself. Returns n_functions numbers; the
 * caller frees them.
 */
uint32_t *cycles_find(const struct cprof_profile *profile);

#endif
