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

#include <regex.h>
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
/* The text that tells a function from others that look the same, "#2"; "": it need not be told. */
const char *own_tag(const struct own *own, uint32_t function);
/* A charge's name for people: of libc as programs call it, with what tells a function from others
 * that look the same; or the purpose. The caller frees it. */
char *own_charge_name(const struct own *own, const struct blame_charge *charge);
/* A text of at most `width` bytes that means the function of this row, as search_text() has it. The
 * caller frees it. */
char *own_search_text(const struct own *own, const struct row *row, size_t width);

#endif
