/*
 * edges.h - the edges of a call graph: calls between functions, from whatever line.
 *
 * Inclusive costs are those of the profile's calls, where it has them: they are exact, in recursion
 * too. Calls of inlined code are edges of their own. A profile with paths alone has the edges of
 * these; a call back to a function on its path is missing there, since paths leave recursion out.
 */
#ifndef PATHS_EDGES_H
#define PATHS_EDGES_H

#include "paths/tree.h"

struct edge {
    uint32_t caller, callee; /* functions of the profile */
    bool inlined;
    uint64_t calls; /* 0 where the callee was inlined */
    int64_t cost;   /* the inclusive cost, of the measure */
};

struct edges {
    size_t n;
    struct edge *items; /* in the order of caller, callee, inlined */
};

/* Finds the edges; `tree` has all paths of its profile. */
void edges_load(struct edges *edges, const struct tree *tree, const struct column *measure);
void edges_free(struct edges *edges);

#endif
