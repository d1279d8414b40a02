/*
 * recursion.h - recursive calls that call paths leave out.
 *
 * A call path holds each function once: a callee that is on the path already continues in its outer
 * context, and the functions called in between leave the path of all that follows. The profile's
 * calls still say which function called which, so these places can be found. The cost spent beyond
 * them is not known.
 */
#ifndef CALLS_RECURSION_H
#define CALLS_RECURSION_H

#include "cprof.h"

#include <stdbool.h>
#include <stddef.h>

/* A call that may have led from context `from` back to context `to`, which is `from` itself or one
 * above it. The caller may be code inlined in `from`. */
struct recursive_call {
    uint32_t from, to;
    uint32_t call; /* index in the profile's calls */
};

/* Looks at one call, and returns the number of contexts that it visited for that. */
typedef size_t recursion_use(const struct recursive_call *call, void *context);

/* Returns true where recursive calls cannot be listed: the bound on contexts was reached, or no
 * calls are known. */
bool recursion_is_unknown(const struct cprof_profile *profile);

/* Calls `use` for each possible recursive call. Returns false where the search gave up and left
 * some out. */
bool recursion_each(const struct cprof_profile *profile, recursion_use *use, void *context);

/* Lists, for each context, the contexts that are inlined in it or in one of these: first[c], then
 * next[...] of each; CPROF_NONE ends. The caller frees both. */
void recursion_inlined(const struct cprof_profile *profile, uint32_t **first, uint32_t **next);

#endif
