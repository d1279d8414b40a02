/*
 * why_pair.h - which children of two nodes of call paths (why_tree.h) belong together.
 *
 * Functions of one row of the diff do. A function that is inlined on one side and called on the
 * other becomes inlined on both. For what is left, in this order: instances of one generic
 * function, variants of one function of libc; a function that only OLD has and one that only NEW
 * has, if they are of one file, run equally often and cost much the same: maybe it was renamed; own
 * functions that only one side has, if their caller's own cost says so: maybe they were split off,
 * or joined.
 */
#ifndef DIFF_WHY_PAIR_H
#define DIFF_WHY_PAIR_H

#include "diff/why_tree.h"

/* Facts about ids. */
struct why_ids {
    const struct diff *diff; /* with all of its rows, in their first order */
    uint32_t n;
    bool *own;
    bool *libc;
    bool one_libc; /* both sides ran one build of libc, by build-ids that all of its files have */
    uint32_t *family; /* equal for instances of a generic function and variants of one of libc */
    char **files;     /* as normalise_file() has them; NULL: not known */
    uint32_t *slots;  /* working memory */
};

void why_ids_load(struct why_ids *ids, const struct diff *diff, bool *const own[DIFF_SIDES]);
void why_ids_free(struct why_ids *ids);
/* True where some function of the id has costs on that side. */
bool why_id_is_in(const struct why_ids *ids, uint32_t id, enum diff_side side);

/* Nodes of either side; CPROF_NONE: there is none. */
struct why_pair {
    uint32_t node[DIFF_SIDES];
};

struct why_pairs {
    size_t n, room;
    struct why_pair *items;
};

/* Finds the pairs of the children of two nodes, whose trees may be changed for that. Marks of a
 * pair are at the node of NEW. `pairs` is reused. Where the nodes' code `may_differ`, functions of
 * others that one side lacks may be a part of it there. */
void why_pairs_find(struct why_pairs *pairs, const struct why_ids *ids,
                    struct why_tree trees[DIFF_SIDES], const uint32_t nodes[DIFF_SIDES],
                    bool may_differ);

#endif
