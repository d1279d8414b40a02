/*
 * diff.h - two profiles side by side, as a table or Markdown.
 */
#ifndef TEXT_DIFF_H
#define TEXT_DIFF_H

#include "diff/diff.h"
#include "render/text/grid.h"

#include <stdio.h>

enum diff_format { DIFF_TABLE, DIFF_MARKDOWN };

struct diff_view {
    const struct diff *diff;       /* filtered and sorted by `sort` */
    const struct columns *columns; /* of its frame */
    const struct column *sort;     /* the number that is shown */
    size_t n_changed;              /* rows whose `sort` changed; they stand first */
    size_t n_shown;                /* the first N of them are shown */
    bool filtered;
    bool lines;       /* show changed lines under each function */
    const char *root; /* see location.h */
    struct grid_screen screen;
    bool fixed; /* the width is a real limit, for notes too */
};

/* Writes the totals of every event, the functions that changed, and how many are not shown. */
void diff_write(const struct diff_view *view, enum diff_format format, FILE *out);

/* Writes the change in per cent, "+1.25"; "new" where OLD is 0, "gone" where NEW is 0, "=" where
 * nothing changed. */
void diff_percent_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after);
/* The change from OLD to NEW, or the nearest limit of 64 bits. */
int64_t diff_change(int64_t before, int64_t after);
/* Writes the change with its sign: "+12,345", "-1", "0". */
void diff_change_text(char buffer[TEXT_NUMBER], int64_t change);

/* True where the totals have the column of index `i`: each event, and the computed number that rows
 * are sorted by. */
bool diff_has_total(const struct diff_view *view, size_t i);
/* Counts the functions that only NEW has, and those that only OLD has. */
void diff_count_unmatched(const struct diff *diff, size_t *n_new, size_t *n_gone);

#endif
