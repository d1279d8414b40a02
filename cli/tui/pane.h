/*
 * pane.h - a list on a part of the screen: columns with heads, lines of which one is selected;
 * only visible lines are made.
 *
 * The same lines can be written to a file.
 */
#ifndef TUI_PANE_H
#define TUI_PANE_H

#include "tui/screen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PANE_COLUMNS = 16 };

struct pane_column {
    const char *head;
    int width;         /* the least width of a column with a `share` */
    int share;         /* its share of spare room; 0: its width is fixed */
    bool right;        /* aligned to the right */
    enum text_cut cut; /* the part of its texts that is cut */
    char sorted;       /* 'v': lines are sorted by it, highest first; '^': lowest first; 0 */
    bool percent;      /* its numbers are percentages, which the head does not say */
    bool picture;      /* of the screen alone: it is not written to files */
};

/* The texts of one line, clean, made by malloc; NULL is empty. */
struct pane_cells {
    char *text[PANE_COLUMNS];
    const char *sign[PANE_COLUMNS]; /* before the text, never cut; NULL: none */
    int indent[PANE_COLUMNS]; /* blanks before it; on the screen at most half of the column, with a
                                 mark */
    enum look look[PANE_COLUMNS];
    unsigned char *looks[PANE_COLUMNS]; /* of each byte of a text that is cut at its end, made by
                                           malloc: enum look, 0 as `look`; NULL: all as `look` */
};

struct pane;
/* Makes the cells of line `i`. */
typedef void pane_line_fn(struct pane *pane, size_t i, struct pane_cells *cells);

struct pane {
    pane_line_fn *line;
    void *view;        /* the view of the pane */
    const char *empty; /* shown where there is no line */
    size_t n;
    size_t selected, top;
    bool linked; /* the selection is marked even where the other pane has the focus */
    int n_columns;
    struct pane_column columns[PANE_COLUMNS];
    /* The place where it was drawn last. */
    int y, height; /* its heads included */
    int x[PANE_COLUMNS], widths[PANE_COLUMNS];
};

/* Draws the pane into lines y to y + height of the whole width. */
void pane_draw(struct pane *pane, int y, int height, bool focused);
/* Moves the selection by a number of lines, as far as there are. */
void pane_move(struct pane *pane, long by);
void pane_select(struct pane *pane, size_t line);
/* The column at x, or -1. */
int pane_column_at(const struct pane *pane, int x);
/* Writes all lines in full width. Returns 0, or -1 with errno. */
int pane_write(struct pane *pane, FILE *out);

#endif
