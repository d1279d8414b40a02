/*
 * line_rows.h - the use of the lines that D1 fetched, by function: a row for each caller
 * (callers.h), with all that it and other code below it fetched.
 */
#ifndef TABLE_LINE_ROWS_H
#define TABLE_LINE_ROWS_H

#include "table/data_rows.h"

struct line_row {
    struct code_spot spot; /* the function, and its line that wastes most */
    struct line_use use;
};

struct line_table {
    const struct cprof_profile *profile;
    struct line_use use;   /* of all */
    size_t n, n_shown;     /* the first `n_shown` are those that a filter has left */
    struct line_row *rows; /* most bytes first that were not used */
};

/* Makes the rows of the callers' profile. line_table_free() frees them. */
void line_table_load(struct line_table *table, const struct callers *callers);
/* Shows only functions whose name matches. */
void line_table_filter(struct line_table *table, const regex_t *filter);
void line_table_free(struct line_table *table);

#endif
