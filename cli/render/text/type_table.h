/*
 * type_table.h - a type as it lies in memory: its members, padding and lines of the cache, with
 * misses, and what another order would save.
 */
#ifndef TEXT_TYPE_TABLE_H
#define TEXT_TYPE_TABLE_H

#include "render/text/table_text.h"
#include "table/type_rows.h"

/* Writes it; as Markdown where `screen` is NULL. */
void type_table_write(const struct type_rows *rows, const struct text_screen *screen, FILE *out);

#endif
