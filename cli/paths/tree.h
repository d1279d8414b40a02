/*
 * tree.h - the call paths of a profile as one tree.
 *
 * Contexts that differ in their call site only are one node; what was inlined and what was called
 * are two. The inclusive cost of a node is what
 * its subtree cost; that of a function is not the sum of its nodes, since recursion is folded.
 */
#ifndef PATHS_TREE_H
#define PATHS_TREE_H

#include "cprof.h"
#include "table/columns.h"
#include "table/rows.h"

#include <stdbool.h>

struct tree_node {
    uint32_t function;          /* index in the profile; CPROF_NONE: the root of all */
    uint32_t parent;            /* CPROF_NONE: the root of all, which is node 0 */
    uint32_t first_child, next; /* the next of its parent's children; CPROF_NONE: none */
    uint64_t calls;
    bool inlined; /* into its parent: then nobody counted calls */
};

struct tree {
    const struct cprof_profile *profile;
    uint32_t n; /* parents stand before their children */
    struct tree_node *nodes;
    int64_t *self, *inclusive; /* n rows of n_events */
};

/* All paths. */
void tree_load(struct tree *tree, const struct cprof_profile *profile);
/* For a profile without paths: every row is a path of its own, below the root. */
void tree_load_flat(struct tree *tree, const struct rows *rows);
/* All paths, or rows where none are known, with function `same[i]` in the place of function i:
 * paths that become equal are one. */
void tree_load_same(struct tree *tree, const struct rows *rows, const uint32_t *same);
/* Puts the children of each node in order, highest inclusive cost first; or those of one. */
void tree_sort(struct tree *tree, const struct column *measure);
void tree_sort_children(struct tree *tree, uint32_t node, const struct column *measure);
void tree_free(struct tree *tree);

/* The node that comes after `node` where one goes from parents to children, in their order, from
 * the root on; CPROF_NONE: `node` is the last. */
uint32_t tree_next(const struct tree *tree, uint32_t node);

static inline const int64_t *tree_self(const struct tree *tree, uint32_t node)
{
    return tree->self + (size_t)node * tree->profile->n_events;
}

static inline const int64_t *tree_inclusive(const struct tree *tree, uint32_t node)
{
    return tree->inclusive + (size_t)node * tree->profile->n_events;
}

#endif
