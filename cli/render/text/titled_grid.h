/*
 * titled_grid.h - a grid below its heading and a line of totals.
 */
#ifndef TEXT_TITLED_GRID_H
#define TEXT_TITLED_GRID_H

#include "render/text/grid.h"

#include <stdio.h>

/* Writes the two lines, and the grid where it has rows. */
void titled_grid_write(const char *heading, const char *totals, const struct grid *grid,
                       const struct grid_screen *screen, FILE *out);
/* The same as Markdown. */
void titled_grid_markdown(const char *heading, const char *totals, const struct grid *grid,
                          FILE *out);

#endif
