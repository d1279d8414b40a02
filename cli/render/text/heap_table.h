/*
 * heap_table.h - who allocates: functions of own code, by what they and all that they called
 * allocated.
 */
#ifndef TEXT_HEAP_TABLE_H
#define TEXT_HEAP_TABLE_H

#include "table/heap.h"
#include "table/own.h"
#include "table/table.h"

/* Columns, numbers first; the last two are function and place. Rows are struct heap_row. */
enum heap_column {
    HEAP_SHARE,
    HEAP_BYTES,
    HEAP_BLOCKS,
    HEAP_MEAN_SIZE,
    HEAP_MEAN_LIFE,
    HEAP_TEMPORARY,
    HEAP_AT_PEAK,
    HEAP_AT_END,
    HEAP_NUMBERS,
    HEAP_FUNCTION = HEAP_NUMBERS,
    HEAP_PLACE,
    HEAP_COLUMNS
};
extern const struct table_column heap_table_columns[HEAP_COLUMNS];

/* The subject of these columns. */
struct heap_table {
    const struct own *own;
    const struct column *measure; /* that functions are in the order of */
    size_t n;                     /* functions of `own` that are shown, the first ones */
    size_t limit;                 /* rows; 0: all of these that allocated */
    const char *root;             /* see location.h */
};

/* Fills a table of the functions, with all else in a last row, below the program's totals, who
 * never freed most, and who freed most at once; the caller frees it. */
void heap_table_fill(const struct heap_table *t, struct table *filled);

#endif
