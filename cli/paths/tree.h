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

/* The kinds of nodes. */
enum node_fold {
    NODE_FUNCTION, /* a function, on one path */
    NODE_STARTUP,  /* what starts a thread, down to own code (startup.h); no function */
    NODE_THREADS   /* several threads that run no own code; no function */
};

struct tree_node {
    uint32_t function;          /* index in the profile; CPROF_NONE: the root */
    uint32_t parent;            /* CPROF_NONE: the root, which is node 0 */
    uint32_t first_child, next; /* `next` is the parent's next child; CPROF_NONE: none */
    uint64_t calls;
    bool inlined;       /* inlined into its parent, so that its calls are not counted */
    unsigned char fold; /* enum node_fold */
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
/* Makes a tree that is equal to another one. */
void tree_copy(struct tree *tree, const struct tree *other);
/* Sorts the children of each node, or of one node, highest inclusive cost first. */
void tree_sort(struct tree *tree, const struct column *measure);
void tree_sort_children(struct tree *tree, uint32_t node, const struct column *measure);
void tree_free(struct tree *tree);

/* Trees made node by node: begin, children and costs in any order, end. A child of the same parent,
 * function, inlining and fold is made once. There are `n_most` nodes at most, without the root. */
struct tree_maker {
    struct tree *tree;
    uint32_t mask;
    struct child_slot *slots;
};

void tree_make_begin(struct tree_maker *maker, struct tree *tree,
                     const struct cprof_profile *profile, size_t n_most);
uint32_t tree_make_child(struct tree_maker *maker, uint32_t parent, const struct tree_node *node);
void tree_make_add(struct tree_maker *maker, uint32_t node, uint64_t calls, const int64_t *self);
void tree_make_end(struct tree_maker *maker);

/* The text that names a node which is no function, or NULL. */
const char *tree_node_name(const struct tree_node *node);

/*
 * The only child of a node, where that was inlined into it: both can be shown as one. Children
 * below `least` by the measure do not count. CPROF_NONE: there are several, or none, or it is not
 * inlined.
 */
uint32_t tree_inlined_child(const struct tree *tree, uint32_t node, const struct column *measure,
                            double least, const bool *own);

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

/*--- The paths below one function ---*/

/*
 * The paths that begin at one function, from all its callers, are one tree. It is made from the
 * tree of all paths: a node stands for all nodes that the same path leads to, from the function on.
 * Users look at few of a million paths: children are made on demand.
 */

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
