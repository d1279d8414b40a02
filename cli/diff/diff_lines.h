/*
 * diff_lines.h - the changed lines of a row of a diff.
 */
#ifndef DIFF_DIFF_LINES_H
#define DIFF_DIFF_LINES_H

#include "diff/diff.h"

/* A line of a row's code in both profiles. A line that only moved is compared with the line where
 * it was. */
struct diff_line {
    const char *file; /* its file in NEW, else in OLD; NULL: not known */
    bool in[DIFF_SIDES];
    uint32_t line[DIFF_SIDES];   /* 0: not known, or not there */
    int64_t *counts[DIFF_SIDES]; /* counts of the common events */
};

struct diff_lines {
    size_t n;
    struct diff_line *items;
    int64_t *counts;
};

/*
 * Finds the lines of a row's functions whose cost of `column` (an own cost) changed, greatest
 * change first. Files with one name by normalise_file() are one. Within a file, the longest
 * sequence of lines with equal costs is taken to be the same code, wherever it moved to, and the
 * lines between are compared one by one, those that are more on one side so that the others change
 * least. diff_lines_free() frees the lines.
 *
 * It may be called before diff_filter() and diff_sort() and after: `row` is one of diff->rows.
 */
void diff_lines_load(struct diff_lines *lines, const struct diff *diff, const struct diff_row *row,
                     const struct column *column);
/* The cost of a line on one side: counts of the common events. */
struct line_cost {
    const char *file; /* NULL: not known */
    uint32_t line;    /* 0: not known */
    const int64_t *counts;
};

struct line_costs {
    size_t n;
    const struct line_cost *items;
};

/* Finds the changed lines of other costs: those of each side, in any order; of one line there may
 * be several. */
void diff_lines_align(struct diff_lines *lines, const struct diff *diff,
                      const struct line_costs costs[DIFF_SIDES], const struct column *column);
void diff_lines_free(struct diff_lines *lines);

#endif
