/*
 * curve_part.h - miss curves, in what show.h writes.
 */
#ifndef VIEWS_CURVE_PART_H
#define VIEWS_CURVE_PART_H

#include "views/memory_tables.h"

#include <stdio.h>

/* Writes them; as Markdown where `screen` is NULL. */
void curve_part_write(const struct memory_tables *tables, const struct show_screen *screen,
                      FILE *out);

#endif
