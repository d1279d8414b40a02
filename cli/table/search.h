/*
 * search.h - functions by what a user types.
 */
#ifndef TABLE_SEARCH_H
#define TABLE_SEARCH_H

#include "table/rows.h"

#include <stdbool.h>

/* Rows, borrowed, in the order of all rows. */
struct search {
    size_t n;
    const struct row **rows;
    bool whole; /* the text is a name of each, and not a part of it */
};

/*
 * The rows that `text` means: those whose name, linkage name or label it is; or else those whose
 * name in full it is, or whose name it is a part of. search_free() afterwards.
 */
void search_rows(struct search *found, const struct rows *rows, const char *text);
void search_free(struct search *found);

/*
 * How a row is called: its name and tag; with `place`, followed by the place in parentheses
 * ("main (src/main.rs:3)", object where no file is known). Each of these finds it. The caller frees
 * it.
 */
char *row_label(const struct row *row, bool place, const char *root);

#endif
