/*
 * closing.h - the lines below a table: hidden rows, rounded counts, costs that are bounds, and
 * hints.
 */
#ifndef TEXT_CLOSING_H
#define TEXT_CLOSING_H

#include "render/text/function_table.h"

#include <stdio.h>

/* Writes all of these lines. */
void closing_write(struct function_table *t, FILE *out);
/* Writes that counts were rounded or columns left out, if so; and frees the list of them. */
void closing_fitting(struct function_table *t, FILE *out);
/* The sentence about shown inclusive costs that are bounds; NULL where none is. The caller frees
 * it. */
char *closing_bounds(const struct function_table *t);

#endif
