/*
 * why_tree.h - the call paths of one of two profiles, as why.h compares them.
 *
 * A node's id is the index of the diff's row that its function is in, so nodes of both profiles
 * that have one id are of the same function. Code that was inlined is a node like any other, which
 * runs once for each call of its parent. But foreign code that was inlined is a child of the
 * function that it was compiled into, however deep: adapters of iterators come and go with each
 * release of the compiler, and none of them is called.
 *
 * A function that was never called, but jumped to, runs once for each call of its parent, too.
 * Where a variant of a function of libc jumps into another, that is a part of the first: libc chose
 * that.
 *
 * Threads but the first are one node. Calls of a recursive function are those from outside, as far
 * as calls between functions tell: paths lead each call back to the first context.
 */
#ifndef DIFF_WHY_TREE_H
#define DIFF_WHY_TREE_H

#include "diff/diff.h"

#include <stdbool.h>

/* Ids that are no rows: threads but the first, and functions without costs. */
enum { WHY_ID_THREADS, WHY_ID_OTHERS, WHY_IDS_MORE };

/* A fact about a node and its partner in the other profile. */
enum why_mark {
    WHY_MARK_NONE,
    WHY_MARK_OUT,          /* inlined in OLD, called in NEW */
    WHY_MARK_IN,           /* called in OLD, inlined in NEW */
    WHY_MARK_SPLIT,        /* a function that OLD lacks has a part of its code, maybe */
    WHY_MARK_JOINED,       /* it has the code of a function that NEW lacks, maybe */
    WHY_MARK_RENAMED,      /* maybe: the two have different names */
    WHY_MARK_VARIANT,      /* of one build of libc: another variant for another processor */
    WHY_MARK_VARIANT_MAYBE /* of two builds of libc: maybe another variant */
};

struct why_node {
    uint32_t id;
    uint32_t function; /* of the profile */
    bool inlined;
    unsigned char mark; /* enum why_mark */
    uint32_t other;     /* the id that the mark is about */
    unsigned char flip; /* WHY_MARK_OUT or WHY_MARK_IN: the mark of some child; 0: of none */
    uint32_t flipped;   /* the id of the costliest such child */
    int64_t flip_cost;  /* its own cost */
    uint64_t calls;     /* at least 1; of code that was inlined or jumped to those of its parent */
    uint64_t entered;   /* with those of its recursion */
    int64_t self, inclusive;
    uint32_t first_child, next; /* CPROF_NONE: none */
};

struct why_tree {
    const struct cprof_profile *profile;
    uint32_t n; /* node 0 is the root */
    struct why_node *nodes;
};

/* Makes the tree of one side by a measure of the diff's common events. `own` has a flag for each
 * function of that side. The profile has call paths. */
void why_tree_load(struct why_tree *tree, const struct diff *diff, enum diff_side side,
                   const struct column *measure, const bool *own);
void why_tree_free(struct why_tree *tree);

/* Makes a child that is called one that is inlined, together with one that is inlined already; of
 * foreign code, which is not `own`, what it calls is the parent's then. Returns the child. */
uint32_t why_tree_inline(struct why_tree *tree, uint32_t parent, uint32_t child, bool own);
/* Makes a child a part of its parent. */
void why_tree_absorb(struct why_tree *tree, uint32_t parent, uint32_t child);

#endif
