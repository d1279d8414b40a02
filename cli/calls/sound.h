/*
 * sound.h - whether a profile's inclusive costs and calls agree with its call paths.
 *
 * An inclusive cost is at most the program's total, and at most what the outermost contexts of the
 * function cost with all below them; of functions that call each other in a circle, those of any of
 * them, since recursion is folded. The latter is not asked where paths and stacks differ: below
 * "[more]", in sections, with fibres. A context's calls are those of call edges to its function, or
 * entries from a root. A file that is damaged, or that another program wrote, may have anything.
 */
#ifndef CALLS_SOUND_H
#define CALLS_SOUND_H

#include "cprof.h"

enum sound_fault { SOUND, SOUND_COSTS_TOTAL, SOUND_COSTS_PATHS, SOUND_CALLS };

/* Looks for a fault. Returns the first one, `function` being the one that has it; costs come
 * first. */
enum sound_fault sound_check(const struct cprof_profile *profile, uint32_t *function);

#endif
