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

/* How little room a table has been given. */
struct text_form {
    bool rounded;         /* counts are */
    unsigned place, name; /* the most columns of places and names; 0: any */
    bool squeezed;        /* even where these cannot do with it */
};
/* The columns that a table takes in a form. */
unsigned table_form_width(const struct table *table, const struct text_form *form, bool utf8);
/* Shortens places and names further, to a width. */
void table_form_squeeze(const struct table *table, struct text_form *form, unsigned width,
                        bool utf8);
/* Writes the rows in a form, without a line on what it lacks. */
void table_form_write(const struct table *table, const struct text_form *form,
                      const struct text_screen *screen, FILE *out);

/* Writes aligned columns; no line ends with blanks. Where counts were rounded or columns left out,
 * a line says so. As a table of GitHub's Markdown where `screen` is NULL: with full texts, in which
 * nothing becomes markup. */
void table_rows_write(const struct table *table, const struct text_screen *screen, FILE *out);
/* Markdown in pieces: the heads, then rows any number of times. */
void table_markdown_begin(const struct table *table, FILE *out);
void table_markdown_put(const struct table *table, FILE *out);
/* Writes the lines above the table, and its rows where it has some; as Markdown where `screen` is
 * NULL. */
void table_write(const struct table *table, const struct text_screen *screen, FILE *out);

#endif
