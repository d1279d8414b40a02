/*
 * place_cell.h - a place in the code, as a cell of a grid.
 */
#ifndef TEXT_PLACE_CELL_H
#define TEXT_PLACE_CELL_H

#include "render/text/grid.h"
#include "table/callers.h"

/* "src/main.rs:8", or the function's object where the file is not known; "": neither is. `root` is
 * the folder that places are shown relative to. The caller frees it. */
char *place_cell_text(const struct cprof_profile *profile, const struct code_spot *spot,
                      const char *root);
/* Adds the cell. */
void place_cell(struct grid *grid, const struct cprof_profile *profile,
                const struct code_spot *spot, const char *root, enum grid_style style);

#endif
