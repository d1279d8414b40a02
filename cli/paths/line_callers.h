/*
 * line_callers.h - the callers of a line: which calls of its function led to it, and what it cost
 * for each.
 *
 * A line's cost is its own and that of all that it called, inlined code and calls alike, as
 * annotation.h has it: each instruction once, so that the callers add up to the line's cost.
 */
#ifndef PATHS_LINE_CALLERS_H
#define PATHS_LINE_CALLERS_H

#include "cprof.h"
#include "table/columns.h"

#include <stdbool.h>
#include <stddef.h>

/* The calls from one line of one function. */
struct line_caller {
    uint32_t function;   /* CPROF_NONE: the function is the root of a call path */
    uint32_t file, line; /* the call site; CPROF_NONE, 0: not known */
    bool inlined;        /* it was inlined there: nobody counted the calls */
    uint64_t calls;
    const int64_t *counts; /* n_events */
};

struct line_callers {
    size_t n;
    struct line_caller *items;
    int64_t *counts; /* the memory of all counts */
};

/*
 * Finds the callers of functions (a flag for each of the profile's) by the cost of their line
 * `line` of file `file`; by their whole cost where `file` is NULL. Callers for which it cost
 * nothing are left out. They are in the order of `measure`, highest first. The profile has call
 * paths.
 */
void line_callers_load(struct line_callers *callers, const struct cprof_profile *profile,
                       const bool *functions, const char *file, uint32_t line,
                       const struct column *measure);
void line_callers_free(struct line_callers *callers);

#endif
