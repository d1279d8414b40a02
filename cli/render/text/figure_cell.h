/*
 * figure_cell.h - figures (table/figure.h) as texts, and as cells of a grid.
 */
#ifndef TEXT_FIGURE_CELL_H
#define TEXT_FIGURE_CELL_H

#include "render/text/grid.h"
#include "table/figure.h"

/* "12,345", with `rounded` "12.3k"; "28.4"; "6 MiB"; "-": not known. The caller frees it. */
char *figure_text(const struct figure *figure, bool rounded);

/* Adds a row of figures. */
void figure_cells(struct grid *grid, const struct figure *figures, size_t n, enum grid_style style);

#endif
