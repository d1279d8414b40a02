/*
 * titled_grid.h - a table below its heading, a line of totals, and what is worth saying first.
 */
#ifndef TEXT_TITLED_GRID_H
#define TEXT_TITLED_GRID_H

#include "render/text/grid.h"

#include <stdio.h>

enum { TITLED_FINDINGS = 2 };

/* The texts and the grid are its own: titled_grid_free() frees them. */
struct titled_grid {
    char *heading, *totals;          /* totals: NULL: none */
    char *findings[TITLED_FINDINGS]; /* sentences; NULL: none */
    struct grid grid;
};

/* Writes the lines, and the grid where it has rows; as Markdown where `screen` is NULL. */
void titled_grid_write(const struct titled_grid *t, const struct grid_screen *screen, FILE *out);
void titled_grid_free(struct titled_grid *t);

#endif
