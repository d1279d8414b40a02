/*
 * blame_table.h - the table of --blame: its columns, and a note for each row.
 */
#ifndef VIEWS_BLAME_TABLE_H
#define VIEWS_BLAME_TABLE_H

#include "options/column_selection.h"
#include "table/blame.h"

/* Replaces the columns that are shown: what a line is charged with, what of that is foreign,
 * function, line, and the foreign functions that cost most. */
void blame_columns(struct column_selection *selection, uint32_t n_events);

/* Sets the notes of all rows, "31.0 % memcpy, 4.8 % exp": names and shares of the program. They are
 * the rows' own. */
void blame_notes(const struct blame *blame, struct rows *rows, const struct column *measure);

#endif
