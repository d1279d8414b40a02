/*
 * blame.h - what the program's own code cost line by line, with what other code cost for it.
 *
 * The cost of a function that is of another crate than the user's own (crates.h) is charged to the
 * nearest own function above it in the call path, at the line from which that called, directly or
 * by way of others. Own code is charged with its own cost, at its line; code of other crates in it
 * that the debug information does not tell apart, at the line where the function is defined. What
 * no own function is above is a row for itself. All rows add up to the program's total.
 *
 * Call paths are folded (recursion.h). Where other code comes back to itself through own code, what
 * it costs from then on is charged to the outer own line: such rows are marked, the total stays.
 */
#ifndef TABLE_BLAME_H
#define TABLE_BLAME_H

#include "cprof.h"
#include "names/crates.h"
#include "table/rows.h"

/* What one function of another crate cost for a row. */
struct blame_charge {
    uint32_t row;          /* as blame_row() has it */
    uint32_t function;     /* index in the profile */
    const int64_t *counts; /* n_events */
};

struct blame {
    size_t n_charges;
    struct blame_charge *charges; /* by row, then as blame_sort() has put them */
    size_t *first;                /* of each row; one more at the end */
    int64_t *counts;
};

/*
 * Makes the rows and their charges; `profile` has call paths. The counts of a row are three times
 * n_events: all that it is charged with, what of this is of other crates, and its own. `name`,
 * `tag`, `mangled`, `crate`, `object` and `function` are the own function's, `file` and `line` the
 * line; the row of what no own code is above has no file, no crate, and `function` CPROF_NONE.
 * `bound` is BOUND_LEAST where the row is marked. rows_free() and blame_free() afterwards.
 */
void blame_load(struct blame *blame, struct rows *rows, const struct cprof_profile *profile,
                const struct crates *crates);
/* Puts the charges of each row in order, highest first. */
void blame_sort(struct blame *blame, const struct column *measure);
void blame_free(struct blame *blame);

/* The charges of a row, which may have moved since; `*n` of them. */
const struct blame_charge *blame_charges(const struct blame *blame, const struct rows *rows,
                                         const struct row *row, size_t *n);

#endif
