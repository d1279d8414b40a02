/*
 * heap_table.h - who allocates: functions of own code, by what they and all that they called
 * allocated.
 */
#ifndef TEXT_HEAP_TABLE_H
#define TEXT_HEAP_TABLE_H

#include "render/text/titled_grid.h"
#include "table/heap.h"
#include "table/own.h"

/* The columns: figures as enum heap_figure has them, function and place. */
extern const struct grid_column heap_table_columns[];
enum { HEAP_FUNCTION = HEAP_FIGURES, HEAP_PLACE, HEAP_COLUMNS };

struct heap_table {
    const struct own *own;
    const struct column *measure; /* that functions are in the order of */
    size_t n;                     /* functions of `own` that are shown, the first ones */
    size_t limit;                 /* rows; 0: all of these that allocated */
    const char *root;             /* see location.h */
};

/* Fills a table of the functions, with all else in a last row, below the program's totals, who
 * never freed most, and who freed most at once; the caller frees it. */
void heap_table_fill(const struct heap_table *t, struct titled_grid *filled);

#endif
