/*
 * type_table.h - a type as it lies in memory: its members, padding and lines of the cache, with
 * misses, and what another order would save.
 */
#ifndef TEXT_TYPE_TABLE_H
#define TEXT_TYPE_TABLE_H

#include "render/text/grid.h"
#include "table/type_rows.h"

void type_table_write(const struct type_rows *rows, const struct grid_screen *screen, FILE *out);
void type_table_markdown(const struct type_rows *rows, FILE *out);

#endif
