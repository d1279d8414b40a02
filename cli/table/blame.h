/*
 * blame.h - own code's costs line by line, with the costs of other code on its behalf.
 *
 * The cost of a function that is not own code (ownership.h) is charged to the nearest own function
 * above it in the call path, at the line from which that function called, directly or through
 * others. Own code is charged with its own cost, at its line; code of other crates in it that debug
 * information does not tell apart, at the line where the function is defined. Code without own code
 * above it has rows for itself, by its place. All rows add up to the program's total.
 *
 * For waits the function that own code called is named, and not the one in which the thread
 * stopped: a lock, and no system call. Of other threads without own code it is the one that their
 * crate begins with, or the thread.
 *
 * Functions of the standard libraries that serve one purpose (purpose.h) are one charge, where a
 * row has more than one of them.
 *
 * Call paths leave recursion out (recursion.h). Where other code comes back to itself through own
 * code, its further cost is charged to the outer own line: such rows are marked, and the total
 * stays.
 */
#ifndef TABLE_BLAME_H
#define TABLE_BLAME_H

#include "cprof_internal.h"
#include "names/crates.h"
#include "names/purpose.h"
#include "table/rows.h"

/* The cost of one function of another crate, or of all that served one purpose, charged to one row.
 */
struct blame_charge {
    uint32_t row;              /* the index of the row before any sorting */
    uint32_t function;         /* index in the profile; CPROF_NONE: it is of several */
    uint32_t object;           /* of all its functions; CPROF_NONE: not known, or of several */
    enum purpose purpose;      /* that it served; PURPOSE_NONE: none that is known */
    const struct crate *crate; /* of its functions; of several crates: NULL */
    enum owner owner;          /* of all its functions; OWNER_NONE: of several */
    const int64_t *counts;     /* n_events */
};

/* The place of code without own code above it: in the tree of the first thread, before main or
 * after it; or in that of another thread, of a signal handler and the like; or on a stack whose
 * beginning nobody knows. */
enum blame_outside { BLAME_FIRST_THREAD, BLAME_ELSEWHERE, BLAME_CUT, BLAME_OUTSIDES };

/* "[before and after main]" and the like; `paths`: call paths are known. */
const char *blame_outside_name(bool paths, enum blame_outside outside);

struct blame {
    size_t n_charges;
    struct blame_charge *charges; /* by row, within it in the order of blame_sort() */
    size_t *first;                /* the first charge of each row, and one more at the end */
    int64_t *counts;
};

/*
 * Makes the rows and their charges. A row has three times n_events counts: all its charges, those
 * of other crates among them, and its own cost. `name`, `tag`, `mangled`, `crate`, `object` and
 * `function` are the own function's, `file` and `line` the line's. A row of code without own code
 * above it has no file, no crate, and `function` CPROF_NONE. `bound` is BOUND_LEAST where the row
 * is marked. rows_free() and blame_free() free them.
 *
 * `own` tells of each function whether it is own code. Code without own code above it has up to
 * three rows; their `line` is an enum blame_outside, and they are called after it. Without call
 * paths a row has its own cost only, or, where `paths` are of what was inlined, that and the cost
 * of what was inlined there.
 */
void blame_load(struct blame *blame, struct rows *rows, struct paths paths,
                const struct crates *crates, const bool *own);
/* The rows of compiled functions: own code that was inlined into own code is charged to that. The
 * processor runs both as one, and a clock's samples tell instructions that are near each other not
 * apart. */
void blame_load_compiled(struct blame *blame, struct rows *rows, struct paths paths,
                         const struct crates *crates, const bool *own);
/* Sorts the charges of each row, highest first. */
void blame_sort(struct blame *blame, const struct column *measure);
void blame_free(struct blame *blame);

/* Costs of one key are one charge of a row: a purpose, or a function without one. */
static inline uint64_t blame_charge_key(enum purpose purpose, uint32_t function)
{
    return purpose ? purpose : (uint64_t)PURPOSES + function;
}
/* The function's name as the profile has it, or the purpose's. */
const char *blame_charge_name(const struct cprof_profile *profile,
                              const struct blame_charge *charge);
/* Takes a charge of the same key into another, but for the counts: what differs is not known. */
void blame_join_charge(struct blame_charge *charge, const struct blame_charge *more);
/* Compares charges by their keys. */
int blame_compare_keys(const struct blame_charge *a, const struct blame_charge *b);

/* The charges of a row, `*n` of them. Rows may have been sorted or filtered. */
const struct blame_charge *blame_charges(const struct blame *blame, const struct rows *rows,
                                         const struct row *row, size_t *n);

#endif
