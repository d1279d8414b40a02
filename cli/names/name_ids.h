/*
 * name_ids.h - numbers for the names of functions, the same in several profiles: what their paths
 * are compared by. Names are the same as normalise.h has them by its first key.
 */
#ifndef NAMES_NAME_IDS_H
#define NAMES_NAME_IDS_H

#include "cprof_internal.h"

/* One of zeros is empty. */
struct name_ids {
    struct map map;
    size_t n, room;
    char **names;
};

/* The numbers of a profile's functions, from 0, for the caller to free: n_functions of them. */
uint32_t *name_ids_of(struct name_ids *ids, const struct cprof_profile *profile);
/* Of each function the first one that has its number: for tree_load_same(). The caller frees it. */
uint32_t *name_ids_first(const uint32_t *numbers, uint32_t n_functions);
void name_ids_free(struct name_ids *ids);

#endif
