/*
 * flame_groups.h - what frames are coloured by: the crate that a function is of (crates.h), those
 * that cost most themselves first.
 */
#ifndef PATHS_FLAME_GROUPS_H
#define PATHS_FLAME_GROUPS_H

#include "names/crates.h"
#include "paths/flame.h"

/* So many colours there are; the last group is all others. Threads and the like are in none. */
enum { FLAME_GROUPS = 10, FLAME_GROUP_NONE = 255 };

struct flame_groups {
    size_t n; /* at most FLAME_GROUPS */
    char *names[FLAME_GROUPS];
    int64_t self[FLAME_GROUPS]; /* own costs, hidden ones left out */
    unsigned char *of_function; /* of each function of the profile */
};

void flame_groups_load(struct flame_groups *groups, const struct flame *flame,
                       const struct crates *crates);
void flame_groups_free(struct flame_groups *groups);

#endif
