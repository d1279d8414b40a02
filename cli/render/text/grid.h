/*
 * grid.h - a table's cells as clean texts, and the form in which they are written: who lays a table
 * out rounds its counts, leaves out columns and sets the widths of the others.
 *
 * Life cycle: grid_begin, grid_measure or widths of another kind, grid_write, grid_free.
 */
#ifndef TEXT_GRID_H
#define TEXT_GRID_H

#include "render/text/cell_text.h"
#include "render/text/fit.h"
#include "render/text/table_text.h"
#include "table/table.h"

#include <stdio.h>

enum { GRID_GAP = 2 /* columns between cells */ };

struct grid {
    const struct table *table;
    char **texts;            /* row by row; the grid's own */
    struct fit_column *fits; /* of each column; without a width where it is not written */
    bool *left_out;          /* of each column */
    bool rounded;            /* some counts are */
    unsigned gap;            /* between columns */
};

/* Makes the texts in full; nothing is measured yet. */
void grid_begin(struct grid *grid, const struct table *table);
void grid_free(struct grid *grid);
static inline char **grid_at(const struct grid *grid, size_t row, size_t column)
{
    return &grid->texts[row * grid->table->n_columns + column];
}
/* The kind of a column's texts, for fit.h. */
enum fit_kind grid_fit_kind(const struct grid *grid, size_t column);
/* Makes the counts anew in a form. */
void grid_round(struct grid *grid, enum count_form form);
/* Measures all columns that are not left out. A spare one that says nothing has no width. */
void grid_measure(struct grid *grid, bool utf8);
/* True of a column with a head and a text. */
bool grid_says_something(const struct grid *grid, size_t column);
/* A text of a kind in so many columns, as it is written. The caller frees it. */
char *grid_fit(const char *text, enum table_kind kind, unsigned width, bool utf8);
/* The columns that a column's texts take of its width. */
unsigned grid_used(const struct grid *grid, size_t column, bool utf8);
/* Writes the heads and all rows. */
void grid_write(const struct grid *grid, const struct text_screen *screen, FILE *out);

#endif
