/*
 * curve_part.h - miss curves, in what show.h writes.
 */
#ifndef REPORT_CURVE_PART_H
#define REPORT_CURVE_PART_H

#include "report/memory_tables.h"

#include <stdio.h>

/* Writes them; as Markdown where `screen` is NULL. */
void curve_part_write(const struct memory_tables *tables, const struct show_screen *screen,
                      FILE *out);

#endif
