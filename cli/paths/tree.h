/*
 * tree.h - the call paths of a profile as one tree.
 *
 * Contexts that differ in their call site alone are one node. Inlined calls and others are two
 * nodes. The inclusive cost of a node is the cost of its subtree. That of a function is not the sum
 * of its nodes, since paths leave recursion out.
 */
#ifndef PATHS_TREE_H
#define PATHS_TREE_H

#include "cprof.h"
#include "table/columns.h"
#include "table/rows.h"

#include <stdbool.h>

struct tree_node {
    uint32_t function;          /* index in the profile; CPROF_NONE: the root */
    uint32_t parent;            /* CPROF_NONE: the root, which is node 0 */
    uint32_t first_child, next; /* `next` is the parent's next child; CPROF_NONE: none */
    uint64_t calls;
    bool inlined; /* inlined into its parent, so that its calls are not counted */
};

struct tree {
    const struct cprof_profile *profile;
    uint32_t n; /* a parent stands before its children */
    struct tree_node *nodes;
    int64_t *self, *inclusive; /* n rows of n_events */
};

/* Makes the tree of all paths. */
void tree_load(struct tree *tree, const struct cprof_profile *profile);
/* Makes every row a path of its own below the root: for profiles without paths. */
void tree_load_flat(struct tree *tree, const struct rows *rows);
/* Makes the tree of all paths, or of rows where no paths are known, with function `same[i]` in
 * place of function i. Paths that become equal are one. */
void tree_load_same(struct tree *tree, const struct rows *rows, const uint32_t *same);
/* Sorts the children of each node, or of one node, highest inclusive cost first. */
void tree_sort(struct tree *tree, const struct column *measure);
void tree_sort_children(struct tree *tree, uint32_t node, const struct column *measure);
void tree_free(struct tree *tree);

/* The node after `node` in a walk from the root, parents before children; CPROF_NONE: `node` is the
 * last. */
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
