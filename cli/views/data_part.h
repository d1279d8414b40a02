/*
 * data_part.h - the table of which data misses, or of the use of lines where data are not told
 * apart, in what show.h writes.
 */
#ifndef VIEWS_DATA_PART_H
#define VIEWS_DATA_PART_H

#include "render/text/table_text.h"
#include "views/memory_tables.h"
#include "views/other_views.h"

/* Fills the table, which the caller frees. */
void data_part_fill(const struct memory_tables *tables, struct table *filled);

/* Writes it, or the type that --layout names; as Markdown where `screen` is NULL. `next` gets what
 * looks further. */
void data_part_write(const struct memory_tables *tables, struct next_views *next,
                     const struct show_screen *screen, FILE *out);

#endif
