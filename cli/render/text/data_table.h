/*
 * data_table.h - which data misses: a table of data, with the lines of code below each that miss in
 * it.
 */
#ifndef TEXT_DATA_TABLE_H
#define TEXT_DATA_TABLE_H

#include "table/data_rows.h"
#include "table/table.h"
#include "table/type_rows.h"

/* A row: data, or a line of code that misses in it. */
struct data_item {
    const struct data_row *row;
    const struct data_touch *touch; /* NULL: it is all of the row */
    const int64_t *misses;
    const struct line_use *use;
};
struct data_item data_item_of(const struct data_row *row, const struct data_touch *touch);

struct data_view {
    const struct data_table *table;
    size_t limit;     /* rows of data; 0: all */
    bool brief;       /* without data that has less than a hundredth */
    size_t touches;   /* lines of code below each; 0: all */
    const char *root; /* places are shown relative to this folder */
};

/* Adds the columns. */
void data_view_add_columns(const struct data_view *view, struct table *table);
/* Fills the table; the caller frees it. */
void data_view_fill(const struct data_view *view, struct table *filled);

/*--- The use of lines ---*/

struct line_view {
    const struct line_table *table;
    size_t limit;     /* functions; 0: all */
    bool brief;       /* without functions that waste less than a hundredth */
    const char *root; /* places are shown relative to this folder */
};

/* Fills a table of the functions; the caller frees it. */
void line_view_fill(const struct line_view *view, struct table *filled);

/*--- One type as it lies in memory ---*/

/* Fills a table of the members, padding and lines of the cache, with misses, above what another
 * order would save; the caller frees it. */
void type_table_fill(const struct type_rows *rows, struct table *filled);

#endif
