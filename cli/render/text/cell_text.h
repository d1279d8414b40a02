/*
 * cell_text.h - the cells of a table (table/table.h) as texts.
 */
#ifndef TEXT_CELL_TEXT_H
#define TEXT_CELL_TEXT_H

#include "table/table.h"

/* "117,237,366", "117.2M", "117M": below 10,000 all are exact. */
enum count_form { COUNT_FULL, COUNT_SHORT, COUNT_SHORTEST };

/* "12,345"; "28.4"; "300+", "inlined" of calls; "6 MiB"; "-": not known; a text as it is. The
 * caller frees it. */
char *cell_text_of(const struct cell *cell, enum count_form form);
/* The text of a cell, clean by clean.h. */
char *cell_clean_text(const struct cell *cell, enum count_form form);

#endif
