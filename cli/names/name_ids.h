/*
 * name_ids.h - numbers for the names of functions. Two functions of any profiles have one number
 * where normalise_name() makes one key of their names; paths are compared by these numbers.
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
/* For each function the first one that has its number, as tree_load_same() takes it. The caller
 * frees it. */
uint32_t *name_ids_first(const uint32_t *numbers, uint32_t n_functions);
void name_ids_free(struct name_ids *ids);

#endif
