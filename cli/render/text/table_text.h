/*
 * table_text.h - a table (table/table.h) for people, and as Markdown.
 */
#ifndef TEXT_TABLE_TEXT_H
#define TEXT_TABLE_TEXT_H

#include "render/text/link.h"
#include "table/table.h"

#include <stdbool.h>
#include <stdio.h>

/* The width of text, and how it is written. */
struct text_screen {
    unsigned width;
    bool color, utf8;
    struct links *links; /* places are links; NULL: they are not */
};

/* Writes aligned columns; no line ends with blanks. Where counts were rounded or columns left out,
 * a line says so. As a table of GitHub's Markdown where `screen` is NULL: with full texts, in which
 * nothing becomes markup. */
void table_rows_write(const struct table *table, const struct text_screen *screen, FILE *out);
/* Writes the lines above the table, and its rows where it has some; as Markdown where `screen` is
 * NULL. */
void table_write(const struct table *table, const struct text_screen *screen, FILE *out);

#endif
