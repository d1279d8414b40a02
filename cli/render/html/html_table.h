/*
 * html_table.h - tables of a page: their frame, heads and cells; and the list of names and texts
 * that stands above them.
 *
 * Life cycle: html_table_begin, html_head for each column, html_table_body, the rows,
 * html_table_end.
 */
#ifndef HTML_HTML_TABLE_H
#define HTML_HTML_TABLE_H

#include "table/rows.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Begins a table. `attributes` are written as they are, with the blank before each. */
void html_table_begin(FILE *out, const char *attributes);
void html_head(FILE *out, const char *text, bool is_number);
void html_table_body(FILE *out);
void html_table_end(FILE *out);

/* Writes the head of a row. */
void html_row_head(FILE *out, const char *text);
/* Writes a cell with a number; `class` is added to its own: "", or " more". */
void html_number(FILE *out, const char *class, const char *number);
/* Writes a cell with a percentage and a bar as long as it. Returns false, and writes nothing, where
 * the value is no part of the whole. */
bool html_bar(FILE *out, int64_t value, int64_t whole, unsigned decimals);
/* Writes a cell with a text. */
void html_cell(FILE *out, const char *class, const char *text);

/* Writes an entry of the list above tables; nothing where the text is empty or NULL. */
void html_entry(FILE *out, const char *name, const char *text);

#endif
