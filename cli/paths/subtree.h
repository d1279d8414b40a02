/*
 * subtree.h - the paths that begin at one function, from all its callers, as one tree.
 *
 * It is made from the tree of all paths: a node stands for all nodes that the same path leads to,
 * from the function on. Users look at few of a million paths: children are made on demand.
 */
#ifndef PATHS_SUBTREE_H
#define PATHS_SUBTREE_H

#include "paths/tree.h"

/* The first child of a node that has children which are not made yet. */
#define SUBTREE_UNMADE (CPROF_NONE - 1)

struct subtree {
    struct tree tree;   /* the root's children are the function, called and inlined */
    uint32_t n_reached; /* the number of paths to the function; none leads through it */

    const struct tree *whole; /* the caller's, outlives this */
    uint32_t room;            /* room for nodes */
    uint32_t *first;          /* of each node: the first node of `whole` that it stands for */
    uint32_t
        *following; /* of each node of `whole`: the next one with the same node here; 0: the last */
    uint32_t *latest; /* of each function, called and inlined: its latest node */
};

void subtree_load(struct subtree *below, const struct tree *whole, uint32_t function);
/* Makes the children of a node where they are not made yet. Nodes may move. Children have no order:
 * tree_sort_children(). */
void subtree_open(struct subtree *below, uint32_t node);
void subtree_free(struct subtree *below);

/* Makes all paths at once, as a tree that the caller frees. */
void subtree_load_all(struct tree *tree, const struct cprof_profile *profile, uint32_t function);

#endif
