/*
 * graph.h - what every function cost with all that it called, and how often it was called.
 *
 * Where the profile says so, that is what it says. Else it is computed from the call edges, as far
 * as they tell: a function that was called has the sum of these calls (those by itself aside);
 * others have their own cost and what they called. Functions that call each other in a circle have
 * what they were called for from outside of it, or their own cost and what they called outside,
 * whichever is more: that much is certain. Recursion and tail calls make edges overlap, so that no
 * sum of them is the truth: none is given that exceeds the program's total, or is less than the
 * function's own cost.
 */
#ifndef CALLS_GRAPH_H
#define CALLS_GRAPH_H

#include "cprof.h"

#include <stdbool.h>

enum bound {
    BOUND_EXACT,
    BOUND_LEAST, /* it is at least this: the function is in a circle, or inlined and within one */
    BOUND_TOTAL  /* the sum of edges exceeded the total */
};

struct graph {
    bool known;         /* there are call edges, or inclusive costs; what follows is NULL if not */
    int64_t *inclusive; /* n_functions rows of n_events */
    int64_t *calls;     /* of each function: how often it was called */
    unsigned char *bounds; /* of each function's inclusive cost: enum bound */
};

void graph_load(struct graph *graph, const struct cprof_profile *profile);
/* Whether graph_load() will know. */
bool graph_is_known(const struct cprof_profile *profile);
void graph_free(struct graph *graph);

/* Whether a context is the root of what has no paths of its own, there being too many: "[more]". */
bool graph_is_overflow(const struct cprof_profile *profile, uint32_t context);

#endif
