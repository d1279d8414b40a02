/*
 * diff.h - two profiles side by side, as a table or Markdown.
 */
#ifndef TEXT_DIFF_H
#define TEXT_DIFF_H

#include <stdio.h>

#include "diff/diff.h"
#include "render/text/grid.h"

enum diff_format { DIFF_TABLE, DIFF_MARKDOWN };

struct diff_view {
    const struct diff *diff;       /* filtered and sorted by `sort` */
    const struct columns *columns; /* of its frame */
    const struct column *sort;     /* the number that is shown */
    size_t n_changed;              /* rows whose `sort` changed: the first ones */
    size_t n_shown;                /* of them, the first */
    bool filtered;
    bool lines;       /* the lines that changed, under each function */
    const char *root; /* see location.h */
    struct grid_screen screen;
    bool fixed; /* its width is a real limit: for notes, too */
};

/* Totals of every event, then the functions that changed, and what is not shown. */
void diff_write(const struct diff_view *view, enum diff_format format, FILE *out);

/* "+1.25" per cent; "new" where OLD is 0, "gone" where NEW is, "=" where nothing changed. */
void diff_percent_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after);
/* The change from OLD to NEW; the limit where it is beyond 64 bits. */
int64_t diff_change(int64_t before, int64_t after);
/* "+12,345", "-1", "0" */
void diff_change_text(char buffer[TEXT_NUMBER], int64_t change);

/* True where the totals have the column of index `i`: each event, and the computed number that rows
 * are sorted by. */
bool diff_has_total(const struct diff_view *view, size_t i);
/* Counts the functions that only NEW and only OLD has. */
void diff_count_unmatched(const struct diff *diff, size_t *n_new, size_t *n_gone);

#endif
