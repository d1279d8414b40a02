/*
 * flame_groups.h - the groups by which frames are coloured: the functions' crates (crates.h), those
 * with most own cost first.
 */
#ifndef PATHS_FLAME_GROUPS_H
#define PATHS_FLAME_GROUPS_H

#include "names/crates.h"
#include "paths/flame.h"

/* The number of colours; the last group is all other crates. Threads and the like have no group. */
enum { FLAME_GROUPS = 10, FLAME_GROUP_NONE = 255 };

struct flame_groups {
    size_t n; /* at most FLAME_GROUPS */
    char *names[FLAME_GROUPS];
    int64_t self[FLAME_GROUPS]; /* own costs, without hidden ones */
    unsigned char *of_function; /* the group of each function of the profile */
};

void flame_groups_load(struct flame_groups *groups, const struct flame *flame,
                       const struct crates *crates);
void flame_groups_free(struct flame_groups *groups);

#endif
