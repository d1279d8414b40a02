/*
 * argument_table.h - which values an argument of a function had, by callers.
 */
#ifndef TEXT_ARGUMENT_TABLE_H
#define TEXT_ARGUMENT_TABLE_H

#include "render/text/table_text.h"
#include "table/arguments.h"

#include <stdio.h>

/* Writes the title, and a table of at most `limit` rows with a line that has the calls of the
 * others; as Markdown where `screen` is NULL. */
void argument_table_write(const struct argument_table *table, const struct cprof_profile *profile,
                          size_t limit, const struct text_screen *screen, FILE *out);

/* Fills one table of all that was counted, at most `limit` rows of each argument, for the caller to
 * free; `own` is as for argument_table_load(). */
void argument_tables_fill(const struct cprof_profile *profile, const bool *own, size_t limit,
                          struct table *filled);

#endif
