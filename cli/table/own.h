/*
 * own.h - the functions of own code, by what they are charged with: their own cost, and what other
 * code cost for them.
 *
 * A function's charge is the sum over its lines as blame.h has them. All charges and the cost of
 * code without own code above it add up to the program's total. Where call paths are not known,
 * the charge is the own cost with that of other code that was inlined there, as far as the profile
 * tells.
 */
#ifndef TABLE_OWN_H
#define TABLE_OWN_H

#include "cprof.h"
#include "names/crates.h"
#include "table/blame.h"
#include "table/columns.h"
#include "table/rows.h"

#include <stdbool.h>

/* Pointers are into struct own; counts are n_events each. */
struct own_function {
    struct row row; /* the function's names; `file` and `line` are those of its costliest line, and
                       `bound` says whether its charge may have others' costs */
    const int64_t *charged, *foreign, *self; /* charged is the sum of the others */
    const int64_t *line_charged;             /* of the costliest line */
    const int64_t *inclusive;                /* NULL: not known */
    unsigned char inclusive_bound;           /* enum bound */
    size_t n_charges;
    const struct blame_charge *charges; /* other code's functions, highest cost first */
};

struct own {
    const struct cprof_profile *profile;
    size_t n;
    struct own_function *items; /* highest first */
    bool paths;                 /* call paths are known */
    int64_t *charged;           /* the sum of all charges */
    int64_t *outside[2];        /* of code without own code above it: enum blame_outside */
    /* Private. */
    struct rows lines, functions;
    struct blame blame;
    struct blame_charge *charges;
    int64_t *counts, *charge_counts;
};

/*
 * Finds the functions that `own` says are own code and that are charged with anything. Lines and
 * functions are in the order of `measure`, an own cost; of `inclusive`, functions are in that of
 * their inclusive cost, where it is known. own_free() frees it.
 */
void own_load(struct own *found, const struct cprof_profile *profile, const struct crates *crates,
              const bool *own, const struct column *measure, bool inclusive);
void own_free(struct own *own);

/*
 * The functions that are the user's own code, one bool each, for the caller to free: of own crates,
 * with a known file or the name of a crate. A program without either is not called anybody's own.
 */
bool *own_functions(const struct cprof_profile *profile, const struct crates *crates);

#endif
