/*
 * edges.h - calls between functions, whatever the line: what a call graph is drawn of.
 *
 * Inclusive counts are those of the profile's calls, where it has them: exact, in recursion too.
 * Code that was inlined is an edge of its own. Where there are paths only, edges are from these,
 * and a call that leads back to a function on its path is missing: recursion is folded there.
 */
#ifndef PATHS_EDGES_H
#define PATHS_EDGES_H

#include "paths/tree.h"

struct edge {
    uint32_t caller, callee; /* functions of the profile */
    bool inlined;
    uint64_t calls; /* 0 where it was inlined */
    int64_t cost;   /* of the measure, inclusive */
};

struct edges {
    size_t n;
    struct edge *items; /* by caller, callee, inlined */
};

/* `tree` are all paths of its profile. */
void edges_load(struct edges *edges, const struct tree *tree, const struct column *measure);
void edges_free(struct edges *edges);

#endif
