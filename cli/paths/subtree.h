/*
 * subtree.h - the paths that begin at one function, wherever it was called, as one tree.
 *
 * It is taken from the tree of all paths: a node stands for all nodes there that the same path
 * leads to from the function on. Of a million paths few are ever looked at: children are made
 * when they are asked for.
 */
#ifndef PATHS_SUBTREE_H
#define PATHS_SUBTREE_H

#include "paths/tree.h"

/* The first child of a node whose children were not asked for yet, and that has some. */
#define SUBTREE_UNMADE (CPROF_NONE - 1)

struct subtree {
    struct tree tree;   /* The root's children are the function, as it was called and inlined. */
    uint32_t n_reached; /* so many paths led to it, none of them through itself */

    const struct tree *whole; /* the caller's, which outlives this */
    uint32_t room;            /* for nodes */
    uint32_t *first;          /* of each node: the first in `whole` that it stands for */
    uint32_t *following;      /* of each in `whole`: the next of the same; 0: it is the last */
    uint32_t *latest;         /* of each function, called and inlined: the node made last */
};

void subtree_load(struct subtree *below, const struct tree *whole, uint32_t function);
/* Makes the children of a node where that was not done yet. Nodes may move. Children have no order:
 * tree_sort_children(). */
void subtree_open(struct subtree *below, uint32_t node);
void subtree_free(struct subtree *below);

/* All of them at once, as a tree that the caller frees. */
void subtree_load_all(struct tree *tree, const struct cprof_profile *profile, uint32_t function);

#endif
