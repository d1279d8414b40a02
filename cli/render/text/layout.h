/*
 * layout.h - rows of the functions' table that must not look alike.
 */
#ifndef TEXT_LAYOUT_H
#define TEXT_LAYOUT_H

#include "render/text/function_table.h"
#include "render/text/grid.h"

/* Adds place, object or number to the names of rows whose texts are equal. "???" always gets its
 * place. */
void layout_tell_apart(const struct function_table *t, struct grid *grid);
/* Shortens all texts to the columns' widths. Names that become equal are shortened in another way,
 * or numbered. */
void layout_shorten(const struct function_table *t, struct grid *grid);

#endif
