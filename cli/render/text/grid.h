/*
 * grid.h - a table of texts, for people and as Markdown, for data without rows and columns in the
 * sense of table.h.
 *
 * Life cycle: grid_init, grid_cell for each cell row by row, any of the writing
 * functions, grid_free.
 */
#ifndef TEXT_GRID_H
#define TEXT_GRID_H

#include "render/text/link.h"
#include "render/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum grid_align {
    GRID_NUMBER, /* right; counts may be rounded */
    GRID_NAME,   /* left, and so are the others; they are shortened by fit.h */
    GRID_PLACE,
    GRID_NOTE
};

enum grid_style { GRID_PLAIN, GRID_DIM, GRID_BOLD, GRID_MORE, GRID_LESS };

struct grid_column {
    const char *header; /* borrowed */
    enum grid_align align;
    unsigned spare; /* the order in which columns are left out where texts have no room: 1 first;
                       0: never */
};

struct grid_cell {
    char *text;
    char *rounded;    /* a count in less room; NULL: there is no such form */
    const char *file; /* of a place, as the profile has it, for a link; borrowed, or NULL */
    enum grid_style style;
};

struct grid {
    struct grid_column *columns;
    size_t n_columns, n_rows, n_cells, room;
    struct grid_cell *cells;
};

/* The width of a grid, and how it is written. */
struct grid_screen {
    unsigned width;
    bool color, utf8;
    struct links *links; /* places are links; NULL: they are not */
};

/* Begins a table of these columns, which are copied. */
void grid_init(struct grid *grid, const struct grid_column *columns, size_t n_columns);
/* Adds the next cell. Texts of any bytes are cleaned here. */
void grid_cell(struct grid *grid, const char *text, enum grid_style style);
/* Adds a cell of a count, "12,345", in little room "12.3k". */
void grid_count(struct grid *grid, int64_t count, enum grid_style style);
/* Adds a cell of a change: a count with its sign. */
void grid_change(struct grid *grid, int64_t change, enum grid_style style);
/* Adds a cell of a place. `file` is its path in the profile, or NULL; it must outlive the grid. */
void grid_place(struct grid *grid, const char *text, const char *file, enum grid_style style);
/* Writes a table of aligned columns; no line ends with blanks. Where counts were rounded or left
 * out, a line says so. */
void grid_write(const struct grid *grid, const struct grid_screen *screen, FILE *out);
/* Writes a table of GitHub's Markdown, with full texts, in which nothing becomes markup. */
void grid_write_markdown(const struct grid *grid, FILE *out);
/* A cell, for another way to write a table. */
const struct grid_cell *grid_at(const struct grid *grid, size_t row, size_t column);
void grid_free(struct grid *grid);

#endif
