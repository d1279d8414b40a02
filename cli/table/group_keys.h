/*
 * group_keys.h - which group each cost and each context of a profile belongs to: for groups.h.
 */
#ifndef TABLE_GROUP_KEYS_H
#define TABLE_GROUP_KEYS_H

#include "cprof_internal.h"
#include "names/crates.h"
#include "table/groups.h"

/* A group. What its key does not have is CPROF_NONE, or 0. */
struct group {
    uint32_t file, line, crate, object;
};

struct group_keys {
    const struct cprof_profile *profile;
    const struct crates *crates;
    enum group_by by;
    uint32_t n, room;
    struct group *items;
    uint32_t *files; /* of each file, the first that is shown alike */
    struct map map;  /* groups by their key */
};

void group_keys_load(struct group_keys *keys, const struct cprof_profile *profile,
                     const struct crates *crates, enum group_by by);
void group_keys_free(struct group_keys *keys);

/* The group that a cost is of; made where it is new, as by all of these. */
uint32_t group_of_cost(struct group_keys *keys, const struct cprof_cost *cost);
/*
 * The group that is on the stack while context `c` runs, by what it adds to its parent's: its
 * function's, or the place of its call. CPROF_NONE: none, such as of "[thread 1]".
 */
uint32_t group_of_context(struct group_keys *keys, const struct cprof_context *c);
/* The same of the call itself; CPROF_NONE where the key is the function's. */
uint32_t group_of_site(struct group_keys *keys, const struct cprof_call *call);

#endif
