/*
 * graph.h - inclusive costs of functions and of call paths, and their numbers of calls.
 *
 * A profile that has inclusive costs is taken at its word. Else they are computed from the call
 * edges, as far as these tell. A function that was called has the sum of its calls, without those
 * by itself. Another one has its own cost and the cost of its callees. A function in a cycle has
 * the calls from outside of the cycle, or its own cost and its callees' outside, whichever is more:
 * that much is certain. Recursion and tail calls make edges overlap, so that no sum of edges is the
 * truth. So no inclusive cost exceeds the program's total, and none is less than the function's own
 * cost.
 */
#ifndef CALLS_GRAPH_H
#define CALLS_GRAPH_H

#include "cprof_internal.h"

#include <stdbool.h>

enum bound {
    BOUND_EXACT,
    BOUND_LEAST, /* the true cost is this or more: the function is in a cycle, or inlined and within
                    one */
    BOUND_TOTAL  /* the sum of edges exceeded the total */
};

struct graph {
    bool known; /* the profile has call edges, or inclusive costs; else all pointers are NULL */
    int64_t *inclusive;    /* n_functions rows of n_events */
    int64_t *calls;        /* the number of calls of each function */
    unsigned char *bounds; /* the bound of each function's inclusive cost: enum bound */
};

void graph_load(struct graph *graph, const struct cprof_profile *profile);
/* Returns true where graph_load() will find calls or inclusive costs. */
bool graph_is_known(const struct cprof_profile *profile);
/* Returns true where how often a function was called is known: samples do not tell. */
bool graph_has_calls(const struct cprof_profile *profile);
void graph_free(struct graph *graph);

/* Returns how often each function was entered from roots such as "[signal]": its calls that are no
 * edge's. The calls of a context below a root are more where its function calls itself. The caller
 * frees the array. */
int64_t *graph_entries(const struct cprof_profile *profile);

/* Returns true for the root "[more]", below which are all paths beyond the bound on contexts. */
bool graph_is_overflow(const struct cprof_profile *profile, uint32_t context);

/* The costs of each context and of all contexts below it: paths->n rows of n_events. The caller
 * frees them. */
int64_t *path_sums(const struct paths *paths);

/* Enters a context on a walk; false ends it there. */
typedef bool paths_enter(void *data, uint32_t context);
typedef void paths_leave(void *data, uint32_t context);
/* Walks over the `n` nodes of a tree, each before those below it, in their order, and leaves each
 * behind these. `parents`: the first one's, and the others follow at a distance of `size`. */
void tree_walk(const uint32_t *parents, size_t size, uint32_t n, paths_enter *enter,
               paths_leave *leave, void *data);
/* tree_walk() over all contexts. */
void paths_walk(const struct paths *paths, paths_enter *enter, paths_leave *leave, void *data);

/* The index of the first call by function `caller` in calls that are sorted by caller, as those of
 * a profile are; where it calls nothing, that of the next caller's first call, or `n`. */
uint32_t call_list_first(const struct cprof_call *calls, uint32_t n, uint32_t caller);

/*--- Circles ---*/

/*
 * Numbers the profile's functions by their cycle (strongly connected component of the call graph).
 * Two functions are in one cycle where each can be reached from the other. A function in no cycle
 * has a number of its own, and so has one that calls only itself. Returns n_functions numbers; the
 * caller frees them.
 */
uint32_t *cycles_find(const struct cprof_profile *profile);

/* Tells whether a context is called from the one above it, though no call of the profile says so.
 */
typedef bool cycles_link(const struct cprof_profile *profile, const struct cprof_context *context);
/* cycles_find() with contexts that `link` holds for as calls, too. */
uint32_t *cycles_find_linked(const struct cprof_profile *profile, cycles_link *link);

#endif
