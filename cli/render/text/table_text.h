/*
 * table_text.h - a table (table/table.h) for people, and as Markdown; the parts that tables of
 * other rules are laid out by: cells as texts, widths, grids, links.
 */
#ifndef TEXT_TABLE_TEXT_H
#define TEXT_TABLE_TEXT_H

#include "source/source_file.h"
#include "table/table.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The screen, or the file, that text is written on. */
struct text_screen {
    unsigned width; /* columns of the terminal, or that are wished for */
    bool fixed;     /* the width is a real limit: counts are rounded for it, too */
    bool color;
    bool may_link;
    struct links *links; /* places are links; NULL: they are not */
};
/* The columns that a line may have. */
static inline unsigned text_limit(const struct text_screen *screen)
{
    return screen->fixed ? screen->width : UINT_MAX;
}

/* How little room a table has been given. */
struct text_form {
    bool rounded;         /* counts are */
    unsigned place, name; /* the most columns of places and names; 0: any */
    bool squeezed;        /* even where these cannot do with it */
};
/* The columns that a table takes in a form. */
unsigned table_form_width(const struct table *table, const struct text_form *form);
/* Shortens places and names further, to a width. */
void table_form_squeeze(const struct table *table, struct text_form *form, unsigned width);
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
/* Writes a line in a style, "" for none; as Markdown, with `end` behind it, where `screen` is NULL.
 * Nothing for NULL. */
void table_line(const char *text, const char *style, const char *end,
                const struct text_screen *screen, FILE *out);
/* table_line(), which frees the text. */
void table_take_line(char *text, const char *style, const char *end,
                     const struct text_screen *screen, FILE *out);
/* Writes the lines above the table, its rows where it has some, and what is below them; as Markdown
 * where `screen` is NULL. */
void table_write(const struct table *table, const struct text_screen *screen, FILE *out);
/* table_write(), which frees the table. */
void table_take(struct table *table, const struct text_screen *screen, FILE *out);

/*--- Cells ---*/

/* "117,237,366", "117.2M", "117M": below 10,000 all are exact. */
enum count_form { COUNT_FULL, COUNT_SHORT, COUNT_SHORTEST };

/* "12,345"; "28.4"; "300+", "inlined" of calls; "6 MiB"; "-": not known; a text as it is. The
 * caller frees it. */
char *cell_text_of(const struct cell *cell, enum count_form form);
/* The text of a cell, clean by clean.h. */
char *cell_clean_text(const struct cell *cell, enum count_form form);

/*--- Widths ---*/

/*
 * The columns of a table's texts, in the room that its numbers leave.
 *
 * Numbers give way before texts, as far as fit_width() says that texts want or need it. Then texts
 * do: notes are shortened, left out, or put below their rows; places lose folders, but not their
 * crate and file; names lose parameters, arguments, traits, and the beginnings of their paths.
 * Where there is still no room, places lose that too, and in the end names lose letters.
 *
 * Life cycle: zero-initialised with `kind` and the head's width as `width`, fit_cell() for each
 * cell, then any of the other functions.
 */

enum fit_kind { FIT_NUMBER, FIT_NAME, FIT_PLACE, FIT_NOTE };

struct fit_column {
    enum fit_kind kind;
    bool whole;     /* of a note: never cut */
    unsigned width; /* of the widest cell; fit_texts() sets what it gets, 0 for a note: none */
    unsigned wanted, least; /* what the cells want, and need */
};

/* Widens a column for a cell. The last part of an `own` function's path is needed in full, however
 * long it is. */
void fit_cell(struct fit_column *column, const char *text, bool own);
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

/*--- Grids ---*/

/*
 * A table's cells as clean texts, and the form in which they are written: who lays a table out
 * rounds its counts, leaves out columns and sets the widths of the others.
 *
 * Life cycle: grid_begin, widths, grid_write, grid_free.
 */

enum { GRID_GAP = 2 /* columns between cells */ };

struct grid {
    const struct table *table;
    char **texts;            /* row by row; the grid's own */
    struct fit_column *fits; /* of each column; without a width where it is not written */
    bool *left_out;          /* of each column */
    bool rounded;            /* some counts are */
    unsigned gap;            /* between columns */
};

/* Makes the texts in full; nothing is measured yet. */
void grid_begin(struct grid *grid, const struct table *table);
void grid_free(struct grid *grid);
static inline char **grid_at(const struct grid *grid, size_t row, size_t column)
{
    return &grid->texts[row * grid->table->n_columns + column];
}
/* The kind of a column's texts. */
enum fit_kind grid_fit_kind(const struct grid *grid, size_t column);
/* Makes the counts anew in a form. */
void grid_round(struct grid *grid, enum count_form form);
/* A text of a kind in so many columns, as it is written. The caller frees it. */
char *grid_fit(const char *text, enum table_kind kind, unsigned width);
/* Writes the heads and all rows. */
void grid_write(const struct grid *grid, const struct text_screen *screen, FILE *out);

/*--- Links to source files ---*/

/*
 * Places that are links to source files (OSC 8), on terminals that can show them.
 *
 * Only files that are found on this machine are linked, as file://HOST/PATH. The text of a link is
 * as wide as it is without.
 */

/* Zero-initialised has none. */
struct links {
    struct source_finder finder;
    char *host, *root;
};

/* Files are looked for as those of a profile of `program`, which is borrowed, in the project's
 * folder `root`; both may be NULL. Nobody asks rustc where the standard library's are: that takes
 * time. */
void links_load(struct links *links, const char *root, const char *program);
void links_free(struct links *links);

/* The address of a source that was looked for, or NULL. */
char *link_address_of(const struct links *links, const struct source *source);

/* Begin and end a link; nothing without an address. */
void link_begin(FILE *out, const char *address);
void link_end(FILE *out, const char *address);

#endif
