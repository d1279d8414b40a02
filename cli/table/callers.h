/*
 * callers.h - the functions that memory is put to: allocations, data and misses of code that they
 * call, up to the next one of them, are theirs.
 */
#ifndef TABLE_CALLERS_H
#define TABLE_CALLERS_H

#include "cprof.h"

#include <regex.h>
#include <stdbool.h>

/* A line of a function. */
struct code_spot {
    uint32_t function;   /* CPROF_NONE: there is none */
    uint32_t file, line; /* CPROF_NONE, 0: not known */
};

/* By function, file and line: as qsort() takes it. */
int code_spot_compare(const struct code_spot *a, const struct code_spot *b);

struct callers {
    const struct cprof_profile *profile;
    bool *is;                /* by function: it is one of them */
    bool *has_file;          /* by file: one of them is defined there */
    struct code_spot *above; /* by context: the nearest line of one strictly above it */
};

/*
 * Finds them: the functions that `own` says are own code, but for allocation
 * functions, and those of the program's own allocator, which all memory goes through. Without any
 * they are all functions but those that allocate. callers_free() frees them.
 */
void callers_load(struct callers *callers, const struct cprof_profile *profile, const bool *own);
void callers_free(struct callers *callers);

/* The line that code at a place in a context (CPROF_NONE: not known) is put to: its own where no
 * caller is above it. */
struct code_spot callers_spot(const struct callers *callers, const struct cprof_cost *place,
                              uint32_t context);
/* callers_spot(); where a caller's line is not known, where that is defined; where the line is a
 * macro's, in a file without a caller, or other code's, the nearest line above that is a caller's
 * own, if there is one. */
struct code_spot callers_line(const struct callers *callers, const struct cprof_cost *place,
                              uint32_t context);
/* The nearest line of a caller strictly above a context; such a one if there is one. */
struct code_spot callers_line_above(const struct callers *callers, uint32_t context);

/* A search for functions by name; what array_partition() hands to rows of memory. */
struct name_filter {
    const struct cprof_profile *profile;
    const regex_t *regex;
};
/* Tells whether the function's name, short or in full, matches. */
bool name_filter_finds(const struct name_filter *filter, uint32_t function);

#endif
