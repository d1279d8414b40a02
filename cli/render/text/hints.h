/*
 * hints.h - the lines below a table that say what would let it say more: names of functions, lines
 * of the program.
 */
#ifndef TEXT_HINTS_H
#define TEXT_HINTS_H

#include "render/text/table.h"

#include <stdio.h>

/* Writes the hints of a table whose `qualities` are known; nothing where nothing is missing. */
void hints_write(const struct table *t, FILE *out);

#endif
