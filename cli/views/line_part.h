/*
 * line_part.h - the use of lines by function, in what show.h writes.
 */
#ifndef VIEWS_LINE_PART_H
#define VIEWS_LINE_PART_H

#include "render/text/table_text.h"
#include "views/memory_tables.h"

/* Fills the table, which the caller frees. */
void line_part_fill(const struct memory_tables *tables, struct table *filled);

#endif
