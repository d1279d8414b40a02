/*
 * own_table.h - the functions of own code, by what they are charged with, as a table of text.
 *
 * Where there is no limit to the width, nothing is shortened. On a terminal counts are rounded
 * first, then less of the other code is named, then own costs go, and places and names are
 * shortened last.
 */
#ifndef TEXT_OWN_TABLE_H
#define TEXT_OWN_TABLE_H

#include "render/text/table_text.h"
#include "table/own.h"
#include "table/table.h"

#include <stdio.h>

struct own_table {
    const struct own *own;
    const struct column *measure;
    const struct column *misses; /* of the data cache, whose shares are shown, too; NULL: none */
    struct text_screen screen;   /* of text, not of a page or Markdown */
    bool whole_names;            /* where its width is no limit, no name is shortened */
    const char *root;            /* see location.h */
};

/* The functions that are shown: the first 5 to 10 that are charged with anything. */
size_t own_table_shown(const struct own *own, const struct column *measure);
/* "memcmp 39.5 %, malloc 3.0 %": other code that cost most for a function, in shares of the
 * program: at most `named` functions, whose names have `width` columns (0: any). The caller frees
 * it. */
char *own_table_paid(const struct own_table *t, const struct own_function *function, unsigned named,
                     unsigned width);

/* All that is not in the rows of the first `shown` functions, as rows: other own functions, code
 * that ran for no own function. The caller frees the names. */
enum { OWN_REST_MOST = 1 + BLAME_OUTSIDES };
struct own_rest {
    char *name;
    int64_t value, misses;   /* misses: where the table has them */
    struct own_function who; /* its charges: who ran there, where that is known; only these */
};
size_t own_table_rest(const struct own_table *t, size_t shown, struct own_rest rest[OWN_REST_MOST]);

/* Fills a table of all functions that are charged with anything, for a page; the caller frees it.
 */
void own_table_fill(const struct own_table *t, struct table *filled);

/* The heading of own code by a measure, where call paths are known and where they are not. The
 * caller frees it. */
char *own_heading(const struct column *measure, bool paths);
/* Writes a heading, the functions, all else as a few rows, and what the rows add up to. A blank
 * line has to precede Markdown. */
void own_table_write(const struct own_table *t, bool markdown, FILE *out);

#endif
