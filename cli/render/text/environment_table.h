/*
 * environment_table.h - in what the environments of two runs differ, for people.
 */
#ifndef TEXT_ENVIRONMENT_TABLE_H
#define TEXT_ENVIRONMENT_TABLE_H

#include "diff/environment.h"

#include <stdio.h>

/* Writes it as a paragraph of Markdown; nothing where nothing differs. */
void environment_write(const struct environment_diff *diff, FILE *out);

#endif
