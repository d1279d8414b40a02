/*
 * sections.h - sections that the program named: their places in call paths, and the profile of one
 * as if it were the program, of one thread, or of another part of the paths.
 */
#ifndef DERIVE_SECTIONS_H
#define DERIVE_SECTIONS_H

#include "cprof.h"

#include <stdbool.h>
#include <stddef.h>

/* The section that the function stands for in call paths, or CPROF_NONE. */
uint32_t section_of(const struct cprof_profile *profile, uint32_t function);

/* The sections that the profile is of, by section_profile(): all of its paths begin in one of them.
 * Sets the number, which is 0 where it is of a whole program. The caller frees the array. */
uint32_t *section_roots(const struct cprof_profile *profile, size_t *n);

/*
 * A new profile of what ran in sections whose names match an extended regular expression, with its
 * costs, calls and inclusive costs. Calls and inclusive costs of functions that ran in no other
 * context are those of the whole profile; the rest is computed from the paths. It has neither where
 * a function that ran outside too is recursive: its paths hide the share of the part. Sections that
 * were entered outside too are left out. Returns NULL with `error` filled on failure: the
 * expression is none, no section matches, or the profile has no call paths. All objects keep their
 * indices.
 */
struct cprof_profile *section_profile(const struct cprof_profile *profile, const char *regex,
                                      struct cprof_error *error);

/* A new profile of the contexts that are chosen, by their number; with a context, all below it has
 * to be. Those without a chosen parent are roots; else as section_profile(). Returns NULL with
 * `error` filled on failure. */
struct cprof_profile *part_profile(const struct cprof_profile *profile, const bool *chosen,
                                   struct cprof_error *error);

/* A new profile of one thread: the contexts under context `root`, which has no parent, such as
 * "[thread 1]"; else as section_profile(). Returns NULL with `error` filled on failure. */
struct cprof_profile *thread_profile(const struct cprof_profile *profile, uint32_t root,
                                     struct cprof_error *error);

#endif
