/*
 * matching.h - functions of two profiles in groups that are compared with each other.
 *
 * Functions with one key (normalise.h) make a group. A group of one side is put together with those
 * of the same loose key, where the other side has some of these.
 *
 * Life cycle: zeros, matching_add() for each side, matching_group(), matching_free().
 */
#ifndef DIFF_MATCHING_H
#define DIFF_MATCHING_H

#include "cprof_internal.h"
#include "diff/diff.h"
#include "names/crates.h"

#include <stdbool.h>
#include <stddef.h>

/* A function with a cost, and its keys. */
struct keyed_function {
    char *key;
    char *loose_key; /* NULL: its key was enough */
    enum diff_side side;
    uint32_t function;
    uint32_t group; /* the number of its group; later its row */
    bool recursion; /* its name is callgrind's `f'2`, its key that of `f` */
};

struct matching {
    size_t n;
    struct keyed_function *functions; /* in the order of their keys, once grouped */
    uint32_t n_groups;                /* not each number has functions */
    size_t n_loose;                   /* groups that are matched by the loose key */
};

/* Returns true where a function has any cost. */
typedef bool matching_has_cost(const void *context, enum diff_side side, uint32_t function);

/* Adds the functions of one side that have a cost. */
void matching_add(struct matching *matching, const struct cprof_profile *profile,
                  enum diff_side side, matching_has_cost *has_cost, const void *context);
void matching_group(struct matching *matching);
void matching_free(struct matching *matching);

/*--- Own code ---*/

/* Finds the call paths of both where both have them (true); else what was inlined where, if both
 * know that; else nothing. */
bool own_common_paths(const struct cprof_profile *const profiles[DIFF_SIDES],
                      struct paths paths[DIFF_SIDES]);

/* Makes a flag for each function of each side: it is own code. A function is that on both sides
 * where it is on side `first`, or, of one that is not there, on the other. `group_of` says by
 * function what is one on both sides: a number below `n_groups`, or CPROF_NONE. The caller frees
 * both arrays. */
void own_common_functions(bool *own[DIFF_SIDES],
                          const struct cprof_profile *const profiles[DIFF_SIDES],
                          uint32_t *const group_of[DIFF_SIDES], size_t n_groups,
                          const struct crates *const crates[DIFF_SIDES], enum diff_side first);

#endif
