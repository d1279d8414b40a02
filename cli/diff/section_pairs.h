/*
 * section_pairs.h - the sections of two profiles that are compared, matched by their names.
 */
#ifndef DIFF_SECTION_PAIRS_H
#define DIFF_SECTION_PAIRS_H

#include "diff/diff.h"

struct section_pair {
    const char *name;            /* borrowed from a profile */
    uint32_t index[DIFF_SIDES];  /* CPROF_NONE: not in that profile */
    int64_t *counts[DIFF_SIDES]; /* as those of a row of the diff; calls are entries; never NULL */
    struct diff_band band[DIFF_SIDES]; /* of them */
};

struct section_pairs {
    size_t n;
    struct section_pair *items;
};

/* Pairs of the sections of NEW in its order, and behind them those that only OLD has. */
void section_pairs_load(struct section_pairs *pairs, const struct diff *diff);
void section_pairs_free(struct section_pairs *pairs);

/* A row of the diff with the counts of a section, for columns; valid as long as the pair is. */
struct diff_row section_pair_row(const struct section_pair *pair);

/* The section of that name, or CPROF_NONE. */
uint32_t section_find(const struct cprof_profile *profile, const char *name);

#endif
