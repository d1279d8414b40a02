/*
 * call_rows.h - the callers or callees of one function as rows.
 *
 * A row stands for all calls between the two functions from one line. Its name, linkage name and
 * tag are the other function's, and `function` is the index of that function's row; file, line and
 * object are those of the call. Counts are laid out as in every row: inclusive costs are those of
 * the calls, own costs are 0.
 */
#ifndef PATHS_CALL_ROWS_H
#define PATHS_CALL_ROWS_H

#include "paths/tree.h"
#include "table/rows.h"

#include <stdbool.h>

/* Makes rows of the calls of (`callers`) or by the function of `rows->items[index]`. rows_free()
 * frees them. */
void call_rows_load(struct rows *calls, const struct rows *rows, size_t index, bool callers);

/*
 * The edges of a call graph: calls between functions, from whatever line.
 *
 * Inclusive costs are those of the profile's calls, where it has them: they are exact, in recursion
 * too. Calls of inlined code are edges of their own. A profile with paths alone has the edges of
 * these; a call back to a function on its path is missing there, since paths leave recursion out.
 */

struct edge {
    uint32_t caller, callee; /* functions of the profile */
    bool inlined;
    uint64_t calls; /* 0 where the callee was inlined */
    int64_t cost;   /* the inclusive cost, of the measure */
};

struct edges {
    size_t n;
    struct edge *items; /* in the order of caller, callee, inlined */
};

/* Finds the edges; `tree` has all paths of its profile. */
void edges_load(struct edges *edges, const struct tree *tree, const struct column *measure);
void edges_free(struct edges *edges);

#endif
