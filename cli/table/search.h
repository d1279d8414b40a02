/*
 * search.h - the functions that a user's text stands for.
 */
#ifndef TABLE_SEARCH_H
#define TABLE_SEARCH_H

#include "table/rows.h"

#include <stdbool.h>

/* The rows found, borrowed, in the order of all rows. */
struct search {
    size_t n;
    const struct row **rows;
    bool whole;          /* the text is a name of each row, not only a part of it */
    bool implementation; /* the rows are what ran for a function of that name */
};

/*
 * Finds the rows that `text` stands for: implementations of it, where the C library has several and
 * takes one as the program starts ("__memcmp_avx2_movbe" for "memcmp"); or else those with this
 * name, linkage name or label, in which a hash ("[h891f88e6]") may be in the place of a number; or
 * else those with this name in full; or else those whose path ends with it ("columns" for
 * "sums::columns"), or does without arguments, parameters and number of a clone; or else those with
 * this text in their name; or else in a form of it that is shown where there is little room
 * (name_forms.h); or else those that implement this method of a trait ("Shape::area"); or else
 * those that are defined there ("src/main.rs:3"). search_free() frees the result.
 */
void search_rows(struct search *found, const struct rows *rows, const char *text);
void search_free(struct search *found);

/* A text of at most `width` bytes by which search_rows() finds this row alone: its label, or the
 * fullest form of its name, in the sense of name_forms.h. Where none is that short it is the
 * shortest one, and the label where no form finds it alone. The caller frees it. */
char *search_text(const struct rows *rows, const struct row *row, size_t width);

/*
 * The label of a row: its name and tag; with `place`, also the place in parentheses ("main
 * (src/main.rs:3)", the object where no file is known). search_rows() finds the row by each of
 * these. The caller frees it.
 */
char *row_label(const struct row *row, bool place, const char *root);

#endif
