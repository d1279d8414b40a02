/*
 * time_table.h - exact counts beside samples: a table of the functions, or lines, whose
 * instructions are slow.
 */
#ifndef TEXT_TIME_TABLE_H
#define TEXT_TIME_TABLE_H

#include "diff/time_rows.h"
#include "table/table.h"

struct time_view {
    const struct time_table *table;
    size_t limit;     /* rows; 0: all */
    bool brief;       /* without rows that have little of both */
    bool below;       /* below another table, whose heading says what both are of */
    const char *root; /* places are shown relative to this folder */
};

/* "Your code: instructions do not explain 9.7 % of 3,181 samples", for the caller to free. */
char *time_heading_text(const struct time_table *table);
/* A line on what neither counts nor samples show, with the command that does, for the caller to
 * free. */
char *time_unseen_text(const struct time_table *table);

/* Columns of numbers. */
enum time_number {
    TIME_SHARE,
    TIME_INSTRUCTIONS,
    TIME_EXTRA,
    TIME_FACTOR,
    TIME_EACH,
    TIME_D1_RATE,
    TIME_LL_RATE,
    TIME_BRANCH_RATE,
    TIME_KERNEL,
    TIME_NUMBERS
};

/* Adds the columns, of which the view is the subject, and rows are struct time_row. */
void time_view_add_columns(const struct time_view *view, struct table *table);
/* Fills a table below what of the time instructions do not explain, and what may be the reason in
 * its first row; the caller frees it. */
void time_view_fill(const struct time_view *view, struct table *filled);

#endif
