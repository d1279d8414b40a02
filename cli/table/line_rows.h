/*
 * line_rows.h - the use of the lines that D1 fetched, by function: a row for each one that
 * `callers` says so of, with all that it and other code below it fetched.
 */
#ifndef TABLE_LINE_ROWS_H
#define TABLE_LINE_ROWS_H

#include "table/data_rows.h"

struct line_row {
    uint32_t function;
    uint32_t file, line; /* its line that wastes most; CPROF_NONE, 0: not known */
    struct line_use use;
};

struct line_table {
    const struct cprof_profile *profile;
    struct line_use use; /* of all */
    size_t n;
    struct line_row *rows; /* most bytes first that were not used */
};

/* Makes the rows. `callers` has a bool for each function. line_table_free() frees them. */
void line_table_load(struct line_table *table, const struct cprof_profile *profile,
                     const bool *callers);
void line_table_free(struct line_table *table);

#endif
