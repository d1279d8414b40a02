/*
 * cell_text.h - the cells of a table (table/table.h) as texts.
 */
#ifndef TEXT_CELL_TEXT_H
#define TEXT_CELL_TEXT_H

#include "table/table.h"

/* "12,345", with `rounded` "12.3k"; "28.4"; "6 MiB"; "-": not known; a text as it is. The caller
 * frees it. */
char *cell_text_of(const struct cell *cell, bool rounded);
/* The text of a cell, clean by clean.h. */
char *cell_clean_text(const struct cell *cell, bool rounded);

#endif
