/*
 * group_costs.h - the costs of each group of a profile (groups.h).
 */
#ifndef TABLE_GROUP_COSTS_H
#define TABLE_GROUP_COSTS_H

#include "table/group_keys.h"

struct group_costs {
    size_t width;          /* counts of a group: rows_width() */
    uint32_t room;         /* groups that the arrays have room for */
    int64_t *counts;       /* rows of `width`: own costs, inclusive ones, calls */
    unsigned char *bounds; /* the bounds of inclusive costs: enum bound, graph.h */
    uint32_t *functions;   /* one function of each group */
};

/* Finds own and inclusive costs; calls stay 0. The caller frees the arrays. */
void group_costs_load(struct group_costs *costs, struct group_keys *keys);

/* Adds `n` counts to a group's, from index `slot` on. */
void group_costs_add(struct group_costs *costs, uint32_t group, uint32_t slot,
                     const int64_t *counts, uint32_t n);

#endif
