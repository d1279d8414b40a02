/*
 * own_table.h - the functions of own code, by what they are charged with, as a table of text.
 *
 * Where there is no limit to the width, nothing is shortened. On a terminal counts are rounded
 * first, then less of the other code is named, then own costs go, and places and names are
 * shortened last.
 */
#ifndef TEXT_OWN_TABLE_H
#define TEXT_OWN_TABLE_H

#include "table/own.h"

#include <stdio.h>

struct own_table {
    const struct own *own;
    const struct column *measure;
    unsigned width; /* of a terminal */
    bool fixed;     /* the width is a real limit */
    bool color, utf8;
    const char *root; /* see location.h */
};

/* The functions that are shown: the first 5 to 10 that are charged with anything. */
size_t own_table_shown(const struct own *own, const struct column *measure);
/* Writes a heading, the functions, all else as a few rows, and what the rows add up to. */
void own_table_write(const struct own_table *t, FILE *out);
/* The same as Markdown. A blank line has to precede it. */
void own_table_markdown(const struct own_table *t, FILE *out);

#endif
