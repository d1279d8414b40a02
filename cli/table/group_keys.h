/*
 * group_keys.h - the keys of groups: to which group a cost and a context belong (groups.h).
 */
#ifndef TABLE_GROUP_KEYS_H
#define TABLE_GROUP_KEYS_H

#include "cprof_internal.h"
#include "names/crates.h"
#include "table/groups.h"

/* A group. A member that is no part of its key is CPROF_NONE, or 0. */
struct group {
    uint32_t file, line, crate, object;
};

struct group_keys {
    const struct cprof_profile *profile;
    const struct crates *crates;
    enum group_by by;
    uint32_t n, room;
    struct group *items;
    uint32_t *files; /* of each file, the first file that is shown alike */
    struct map map;  /* groups by their key */
};

void group_keys_load(struct group_keys *keys, const struct cprof_profile *profile,
                     const struct crates *crates, enum group_by by);
void group_keys_free(struct group_keys *keys);

/* The group of a cost. This function and those below make a group that does not exist yet. */
uint32_t group_of_cost(struct group_keys *keys, const struct cprof_cost *cost);
/*
 * The group that is on the stack while context `c` runs, apart from its parent's groups: that of
 * its function, or of the call's place. CPROF_NONE: none, such as for "[thread 1]".
 */
uint32_t group_of_context(struct group_keys *keys, const struct cprof_context *c);
/* The group of a call's place; CPROF_NONE where groups depend on the function alone. */
uint32_t group_of_site(struct group_keys *keys, const struct cprof_call *call);

#endif
