/*
 * grid.h - a table of texts that are made already, for people and as Markdown: what has no rows and
 * columns in the sense of table.h.
 *
 * Life cycle: grid_init, grid_row and grid_cell for each row from left to right, any of the writing
 * functions, grid_free.
 */
#ifndef TEXT_GRID_H
#define TEXT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "render/text/text.h"

enum grid_align {
    GRID_NUMBER, /* right, never shortened */
    GRID_NAME,   /* left, shortened in the middle */
    GRID_PLACE   /* left, shortened at its start, before names are */
};

enum grid_style { GRID_PLAIN, GRID_DIM, GRID_BOLD, GRID_MORE, GRID_LESS };

struct grid_column {
    const char *header; /* borrowed */
    enum grid_align align;
};

struct grid_cell {
    char *text;
    enum grid_style style;
};

struct grid {
    const struct grid_column *columns; /* borrowed */
    size_t n_columns, n_rows, n_cells, room;
    struct grid_cell *cells;
};

/* How wide a grid may be, and how it is written. */
struct grid_screen {
    unsigned width;
    bool color, utf8;
};

void grid_init(struct grid *grid, const struct grid_column *columns, size_t n_columns);
/* Adds the next cell; a text that comes from a file is made fit to be shown here. */
void grid_cell(struct grid *grid, const char *text, enum grid_style style);
/* A table of aligned columns; no line ends with blanks. */
void grid_write(const struct grid *grid, const struct grid_screen *screen, FILE *out);
/* A table of GitHub's Markdown: texts in full, and nothing in them is taken for Markdown. */
void grid_write_markdown(const struct grid *grid, FILE *out);
void grid_free(struct grid *grid);

#endif
