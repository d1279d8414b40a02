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

#include "table/rows.h"

#include <stdbool.h>

/* Makes rows of the calls of (`callers`) or by the function of `rows->items[index]`. rows_free()
 * frees them. */
void call_rows_load(struct rows *calls, const struct rows *rows, size_t index, bool callers);

#endif
