/*
 * hints.h - the hints below a table: missing names of functions, missing lines of what was built
 * here, and how to get them.
 */
#ifndef TEXT_HINTS_H
#define TEXT_HINTS_H

#include "render/text/function_table.h"

#include <stdio.h>

/* Writes the hints of a table whose `qualities` are known; nothing where nothing is missing. */
void hints_write(const struct function_table *t, FILE *out);

#endif
