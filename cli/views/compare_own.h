/*
 * compare_own.h - own code in a comparison: when it is shown, and what it is.
 */
#ifndef VIEWS_COMPARE_OWN_H
#define VIEWS_COMPARE_OWN_H

#include "diff/own_diff.h"
#include "options/filters.h"
#include "views/compare.h"

/* Zero-initialised is none. */
struct compare_own {
    bool loaded; /* there is own code, and it is wanted */
    struct own_diff own;
    struct crates crates[DIFF_SIDES];
};

/* Finds own code where the settings ask for it, filtered; `sort` is what functions are sorted by.
 * The diff must have labels, and neither be filtered nor sorted. Returns 0, or STATUS_USAGE after
 * having said why there is none to be shown. compare_own_free() in either case. */
int compare_own_load(struct compare_own *own, const struct diff *diff,
                     const struct compare_input inputs[DIFF_SIDES], const struct columns *columns,
                     const struct column *sort, const struct show_settings *show,
                     const struct filters *filters);
void compare_own_free(struct compare_own *own);

/* True where all functions are to be shown: own code is not, or they are asked for. */
bool compare_shows_functions(const struct compare_own *own, const struct show_settings *show);

#endif
