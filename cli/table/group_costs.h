/*
 * group_costs.h - what each group of a profile cost: for groups.h, which says what is meant.
 */
#ifndef TABLE_GROUP_COSTS_H
#define TABLE_GROUP_COSTS_H

#include "table/group_keys.h"

struct group_costs {
    size_t width;          /* counts of a group: rows_width() */
    uint32_t room;         /* groups that there is room for */
    int64_t *counts;       /* rows of `width`: own costs, inclusive ones, calls */
    unsigned char *bounds; /* of the inclusive ones: enum bound, graph.h */
    uint32_t *functions;   /* of each group, a function that it has */
};

/* All of it but the calls. The caller frees the arrays. */
void group_costs_load(struct group_costs *costs, struct group_keys *keys);

/* Adds to `n` counts of a group, from `slot` on. */
void group_costs_add(struct group_costs *costs, const struct group_keys *keys, uint32_t group,
                     uint32_t slot, const int64_t *counts, uint32_t n);

#endif
