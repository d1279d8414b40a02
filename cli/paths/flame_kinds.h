/*
 * flame_kinds.h - the kinds of code (origin.h) by which frames are coloured, and what each costs.
 */
#ifndef PATHS_FLAME_KINDS_H
#define PATHS_FLAME_KINDS_H

#include "cprof.h"
#include "names/origin.h"
#include "table/columns.h"

enum { FLAME_KIND_NONE = 255 };

struct flame_kinds {
    int64_t self[ORIGINS];      /* own costs in the whole program: they add up to its total */
    unsigned char *of_function; /* of each function of the profile: its kind * ORIGIN_SHADES + its
                                 * shade, or FLAME_KIND_NONE for threads and the like, which are no
                                 * code */
};

void flame_kinds_load(struct flame_kinds *kinds, const struct cprof_profile *profile,
                      const struct crates *crates, const struct column *measure);
void flame_kinds_free(struct flame_kinds *kinds);

#endif
