/*
 * data_table.h - which data misses: a table of data, with the lines of code below each that miss in
 * it.
 */
#ifndef TEXT_DATA_TABLE_H
#define TEXT_DATA_TABLE_H

#include "render/text/titled_grid.h"
#include "table/data_rows.h"

/* The columns: figures as enum data_figure has them, and texts. */
extern const struct grid_column data_table_columns[];
enum { DATA_KIND = DATA_FIGURES, DATA_BY, DATA_AT, DATA_TYPE, DATA_IN, DATA_COLUMNS };

struct data_view {
    const struct data_table *table;
    size_t limit;     /* rows of data; 0: all */
    bool brief;       /* without data that has less than a hundredth */
    size_t touches;   /* lines of code below each; 0: all */
    const char *root; /* places are shown relative to this folder */
};

/* Where the data of a row comes from: the line that allocated it, the file that has the variable;
 * "" where nothing is known. The caller frees it. */
char *data_row_place(const struct cprof_profile *profile, const struct data_row *row,
                     const char *root);

/* Fills the table; the caller frees it. */
void data_view_fill(const struct data_view *view, struct titled_grid *filled);

#endif
