/*
 * own.h - the functions of own code, by what they are charged with: their own cost, and what other
 * code cost for them.
 *
 * A function's charge is the sum over its lines. All charges and the cost of
 * code without own code above it add up to the program's total. Where call paths are not known,
 * the charge is the own cost with that of other code that was inlined there, as far as the profile
 * tells.
 */
#ifndef TABLE_OWN_H
#define TABLE_OWN_H

#include "cprof_internal.h"
#include "names/crates.h"
#include "names/purpose.h"
#include "table/columns.h"
#include "table/rows.h"

#include <regex.h>
#include <stdbool.h>

/*--- Lines ---*/

/*
 * Own code's costs line by line, with the costs of other code on its behalf.
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
 *
 * `compiled`: rows are of compiled functions: own code that was inlined into own code is charged to
 * that. The processor runs both as one, and a clock's samples tell instructions that are near each
 * other not apart.
 */
void blame_load(struct blame *blame, struct rows *rows, struct paths paths,
                const struct crates *crates, const bool *own, bool compiled);
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

/* The charges of a row, `*n` of them. Rows may have been sorted or filtered. */
const struct blame_charge *blame_charges(const struct blame *blame, const struct rows *rows,
                                         const struct row *row, size_t *n);

/*--- Functions ---*/

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
    struct own_function *items;       /* highest first */
    bool paths;                       /* call paths are known */
    int64_t *charged;                 /* the sum of all charges */
    int64_t *outside[BLAME_OUTSIDES]; /* of code without own code above it: enum blame_outside */
    size_t n_elsewhere;
    const struct blame_charge *elsewhere; /* who ran for BLAME_ELSEWHERE, highest cost first */
    struct rows lines;                    /* line by line: as blame_load() makes them */
    struct blame blame;
    /* Private. */
    struct rows functions;
    uint32_t *row_of; /* as rows_of_functions() of `functions` */
    struct blame_charge *charges;
    int64_t *counts, *charge_counts;
};

/*
 * Finds the functions that `own` says are own code and that are charged with anything. Lines and
 * functions are in the order of `measure`, an own cost; of `inclusive`, functions are in that of
 * their inclusive cost, where it is known. `paths` are those of a profile, profile_paths(), or as
 * much of them as is to be looked at. own_free() frees it.
 */
void own_load(struct own *found, struct paths paths, const struct crates *crates, const bool *own,
              const struct column *measure, bool inclusive);
/* Moves those whose name matches to the front. Returns how many they are. */
size_t own_filter(struct own *own, const regex_t *filter);
void own_free(struct own *own);
/* A charge's name for people: of libc as programs call it, with what tells a function from others
 * that look the same; or the purpose. The caller frees it. */
char *own_charge_name(const struct own *own, const struct blame_charge *charge);
/* A text of at most `width` bytes that means the function of this row, as search_text() has it. The
 * caller frees it. */
char *own_search_text(const struct own *own, const struct row *row, size_t width);

#endif
