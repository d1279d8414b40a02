#include <config.h>

#include "diff/own_views.h"

#include "base/memory.h"

#include <stdlib.h>

bool own_common_paths(const struct cprof_profile *const p[DIFF_SIDES],
                      struct paths paths[DIFF_SIDES])
{
    bool same;

    for (int side = 0; side < DIFF_SIDES; side++)
        paths[side] = profile_paths(p[side]);
    same = paths[DIFF_OLD].n && paths[DIFF_NEW].n && paths[DIFF_OLD].known == paths[DIFF_NEW].known;
    for (int side = 0; side < DIFF_SIDES && !same; side++)
        paths[side] = (struct paths){.profile = p[side]};
    return same && paths[DIFF_OLD].known;
}

void own_common_functions(bool *own[DIFF_SIDES], const struct cprof_profile *const p[DIFF_SIDES],
                          uint32_t *const group_of[DIFF_SIDES], size_t n_groups,
                          const struct crates *const crates[DIFF_SIDES], enum diff_side first)
{
    enum diff_side other = first == DIFF_OLD ? DIFF_NEW : DIFF_OLD;
    bool *known = xcalloc(n_groups + 1, sizeof *known), *is = xcalloc(n_groups + 1, sizeof *is);

    for (uint32_t f = 0; f < p[first]->n_functions; f++)
        if (group_of[first][f] != CPROF_NONE) {
            known[group_of[first][f]] = true;
            is[group_of[first][f]] |= crates[first]->own[f];
        }
    for (uint32_t f = 0; f < p[other]->n_functions; f++)
        if (group_of[other][f] != CPROF_NONE && !known[group_of[other][f]])
            is[group_of[other][f]] |= crates[other]->own[f];
    for (int side = 0; side < DIFF_SIDES; side++) {
        own[side] = xcalloc((size_t)p[side]->n_functions + 1, sizeof *own[side]);
        for (uint32_t f = 0; f < p[side]->n_functions; f++)
            own[side][f] =
                group_of[side][f] == CPROF_NONE ? crates[side]->own[f] : is[group_of[side][f]];
    }
    free(known);
    free(is);
}
