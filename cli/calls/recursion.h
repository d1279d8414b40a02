/*
 * recursion.h - where recursion may have led back to an outer context.
 *
 * Call paths are folded: a callee that is on the path already goes on in the context there, and
 * what was called in between drops off the path of all that follows. The calls of a profile still
 * say which function called which, so that such places can be found; how much was spent beyond one
 * they do not say.
 */
#ifndef CALLS_RECURSION_H
#define CALLS_RECURSION_H

#include "cprof.h"

#include <stdbool.h>
#include <stddef.h>

/* A call that may have led from context `from` back to context `to`, which is `from` itself or
 * above it. Code inlined in `from` may have been what called. */
struct recursive_call {
    uint32_t from, to;
    uint32_t call; /* index in the profile's calls */
};

/* Looks at one; returns how many contexts it had to look at. */
typedef size_t recursion_use(const struct recursive_call *call, void *context);

/* Whether paths may have lost more than folds tell: the bound on contexts was reached, or no calls
 * are known. */
bool recursion_is_unknown(const struct cprof_profile *profile);

/* Calls `use` for each fold there may be. Returns false where there were too many places to look
 * at, and some are left out. */
bool recursion_each(const struct cprof_profile *profile, recursion_use *use, void *context);

/* Where the contexts that are inlined in each context, in itself or in each other, begin and how
 * they go on: first[c], then next[...] of each; CPROF_NONE ends. The caller frees both. */
void recursion_inlined(const struct cprof_profile *profile, uint32_t **first, uint32_t **next);

#endif
