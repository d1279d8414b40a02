/*
 * environment_table.h - in what the environments of two runs differ, for people.
 */
#ifndef TEXT_ENVIRONMENT_TABLE_H
#define TEXT_ENVIRONMENT_TABLE_H

#include "diff/environment.h"
#include "table/table.h"

#include <stdio.h>

/* Fills a table of the facts that differ, which the caller frees. */
void environment_fill(const struct environment_diff *diff, struct table *table);
/* Writes it as a paragraph of Markdown; nothing where nothing differs. */
void environment_write(const struct environment_diff *diff, FILE *out);

#endif
