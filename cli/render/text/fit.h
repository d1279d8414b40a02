/*
 * fit.h - the columns of a table's texts, in the room that its numbers leave.
 *
 * Numbers give way before texts, as far as fit_width() says that texts want or need it. Then texts
 * do: notes are shortened or left out; places lose folders, but not their crate and file; names
 * lose parameters, arguments, traits, and the beginnings of their paths. Where there is still no
 * room, places lose that too, and in the end names lose letters.
 *
 * Life cycle: zero-initialised with `kind` and the head's width as `width`, fit_cell() for each
 * cell, then any of the other functions.
 */
#ifndef TEXT_FIT_H
#define TEXT_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum fit_kind { FIT_NUMBER, FIT_NAME, FIT_PLACE, FIT_NOTE };

struct fit_column {
    enum fit_kind kind;
    unsigned width; /* of the widest cell; fit_texts() sets what it gets, 0 for a note: none */
    unsigned wanted, least; /* what the cells want, and need */
};

/* Widens a column for a cell. The last part of an `own` function's path is needed in full, however
 * long it is. */
void fit_cell(struct fit_column *column, const char *text, bool own, bool utf8);
/* The width of all columns, with `gap` between two of them: with texts in full, as short as they
 * may be before counts are left out that only the screen has no room for, and as short as they may
 * be at all. Notes may be left out, but from FIT_FULL. */
enum fit_room { FIT_FULL, FIT_WANTED, FIT_LEAST };
unsigned fit_width(const struct fit_column *columns, size_t n, unsigned gap, enum fit_room room);
/* Sets the widths of texts so that all columns, with `gap` between two of them, fit into `width`,
 * if they can. */
void fit_texts(struct fit_column *columns, size_t n, unsigned gap, unsigned width);

/* "A left out and counts rounded to fit 80 columns; ...": what was done to numbers. `left_out` may
 * be NULL; NULL: nothing was done. The caller frees it. */
char *fit_note(const char *left_out, bool rounded, unsigned width);

#endif
