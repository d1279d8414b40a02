/*
 * heap_table.h - who allocates: functions of own code, by what they and all that they called
 * allocated.
 */
#ifndef TEXT_HEAP_TABLE_H
#define TEXT_HEAP_TABLE_H

#include "render/text/grid.h"
#include "table/own.h"

#include <stdio.h>

struct heap_table {
    const struct own *own;
    const struct column *measure; /* that functions are in the order of */
    size_t limit;                 /* rows; 0: all that allocated */
    const char *root;             /* see location.h */
};

/* Writes a heading, the program's totals, and the functions, with all else in a last row. */
void heap_table_write(const struct heap_table *t, const struct grid_screen *screen, FILE *out);
/* The same as Markdown. */
void heap_table_markdown(const struct heap_table *t, FILE *out);

#endif
