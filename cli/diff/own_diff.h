/*
 * own_diff.h - what of the user's own code got dearer: its functions by what they are charged with
 * (own.h) in two profiles.
 *
 * The changes of all functions, and those of code outside of them, add up to the change of the
 * program's total. Where one profile knows less of what other code cost for whom than the other
 * one, both are compared by the lesser knowledge.
 *
 * Counts are those of the diff's common events.
 */
#ifndef DIFF_OWN_DIFF_H
#define DIFF_OWN_DIFF_H

#include "diff/diff.h"
#include "diff/diff_lines.h"
#include "names/crates.h"
#include "table/own.h"

/* The cost of a function of other code, for an own function. */
struct charge_change {
    const char *name, *object; /* its label and object; NULL: not known */
    int64_t *counts[DIFF_SIDES];
};

/* A function of own code. Strings are the diff's profiles' and the own_diff's. */
struct own_change {
    const char *name; /* its label */
    const char *file, *object;
    uint32_t line; /* where it is defined, as in struct diff_row */
    const struct crate *crate;
    bool in[DIFF_SIDES];
    bool certain;                /* false: it may be charged with others' costs, on some side */
    int64_t *counts[DIFF_SIDES]; /* what it is charged with */
    const int64_t *noise;        /* smaller changes vary from run to run; NULL: not known */
    struct diff_lines lines;     /* those whose charge changed, greatest change first */
    size_t n_charges;
    struct charge_change *charges; /* other code, greatest change first */
    /* Private. */
    uint32_t row;
};

struct own_diff {
    const struct diff *diff;
    const struct column *measure;
    bool paths; /* call paths are known */
    size_t n;
    size_t n_matching;        /* those that the filter kept, which stand first */
    struct own_change *items; /* greatest change of the measure first */
    int64_t *outside[BLAME_OUTSIDES]
                    [DIFF_SIDES]; /* of code without own code above it: enum blame_outside */
    int64_t *charged[DIFF_SIDES]; /* the sum of all functions */
    /* Private. */
    char **names;
    int64_t *counts, *noise, *charge_counts;
    struct charge_change *charges;
};

/*
 * Compares own code. `measure` is an own cost among the columns of diff->common. A row of the diff
 * is own code where a function of it in NEW is, or, of one that is gone, in OLD. The diff must have
 * its labels, and neither be filtered nor sorted yet; what it is of must outlive the result.
 * own_diff_free() frees it.
 */
void own_diff_load(struct own_diff *own, const struct diff *diff,
                   const struct crates *const crates[DIFF_SIDES], const struct column *measure);
/* Puts functions whose label matches `function` and whose file (object, where no file is known)
 * matches `file` before all others; NULL matches all. */
void own_diff_filter(struct own_diff *own, const regex_t *function, const regex_t *file);
void own_diff_free(struct own_diff *own);

/* NEW - OLD of the measure, or the nearest number. */
int64_t own_diff_delta(const struct own_diff *own, int64_t *const counts[DIFF_SIDES]);
/* The number of functions that the filter kept and that changed by more than noise: the first. */
size_t own_diff_changed(const struct own_diff *own);

#endif
