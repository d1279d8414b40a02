/*
 * diff.h - two profiles side by side, function by function.
 *
 * Functions are matched by normalise.h: those with one first key are one row, and their costs are
 * added up; what is left on both sides with one second key is one row, too. A row is in OLD, in NEW
 * or in both. Counts are those of the events that both profiles have, in NEW's order, laid out as
 * those of rows.h: own ones, and where calls are known on both sides, inclusive ones and the number
 * of calls. So columns.h works on them: columns_load(&columns, &diff->common), then
 * column_value(column, row->counts[DIFF_OLD]) and diff_delta(column, row).
 *
 * Inclusive costs of functions that make one row are added up, but never to more than the
 * program's: where they call each other they overlap.
 *
 * The two profiles must outlive the diff; nothing else is borrowed.
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "cprof.h"
#include "table/columns.h"
#include "diff/noise.h"

#include <regex.h>
#include <stdbool.h>

enum diff_side { DIFF_OLD, DIFF_NEW, DIFF_SIDES };

struct diff_row {
    char *name; /* its first key; the second where functions of several first keys were matched */
    const char *file, *object;   /* of the costliest function, NEW's first; NULL: not known */
    uint32_t line;               /* 0: not known */
    bool in[DIFF_SIDES];         /* some function of that profile is in the row */
    int64_t *counts[DIFF_SIDES]; /* `width` ones */
    uint32_t index;              /* what row_of has for its functions */
    int64_t *noise_threshold;    /* as much may vary from run to run: `width` ones, or NULL */
};

struct diff {
    const struct cprof_profile *profile[DIFF_SIDES];
    struct cprof_profile common; /* events, and whether calls are known; nothing else in it */
    size_t width;                /* of a row's counts */
    size_t n, n_all;             /* rows that passed the filters; all */
    struct diff_row *rows;
    struct diff_row total;        /* of the programs */
    size_t n_loose;               /* rows that the second key matched */
    char *missing[DIFF_SIDES];    /* names of events that only the other side has, "Dr, Dw"; NULL */
    uint32_t *events[DIFF_SIDES]; /* of each common event: its index in that profile */
    uint32_t *row_of[DIFF_SIDES]; /* of each function: its row's index, or CPROF_NONE where it
                                     has no cost */
    unsigned runs;                /* that the noise thresholds are from; 0: there are none */
};

/* Compares. `noise` is what the counts of each side are known to vary by, each NULL where that is
 * not known: the noise threshold is the wider one. Where no event is common, common.n_events is 0
 * and there are no rows. */
void diff_load(struct diff *diff, const struct cprof_profile *old_profile,
               const struct cprof_profile *new_profile,
               const struct noise *const noise[DIFF_SIDES]);
/* Keeps rows whose name matches `function` and whose file (object, where no file is known) matches
 * `file`; NULL matches all. */
void diff_filter(struct diff *diff, const regex_t *function, const regex_t *file);
/* By the size of the change, greatest first; equal ones by name. Rows without a change come last.
 */
void diff_sort(struct diff *diff, const struct column *column);
void diff_free(struct diff *diff);

/* NEW - OLD of a column; the largest numbers there are where it would exceed them. */
int64_t diff_delta(const struct column *column, const struct diff_row *row);
/* Whether a column changed by more than the row's noise threshold. */
bool diff_is_changed(const struct column *column, const struct diff_row *row);

/* A line of a row's code, as it is in both: the cost of one that only moved is compared with what
 * it cost where it was. */
struct diff_line {
    const char *file; /* of NEW, else of OLD; NULL: not known */
    bool in[DIFF_SIDES];
    uint32_t line[DIFF_SIDES];   /* 0: not known, or not there */
    int64_t *counts[DIFF_SIDES]; /* n_events of the common events */
};

struct diff_lines {
    size_t n;
    struct diff_line *items;
    int64_t *counts;
};

/*
 * The lines of the functions in one row whose cost of `column` (an own one) changed, greatest
 * change first. Lines are those of files with one name by normal_file(); within a file the longest
 * sequence of lines with equal costs is taken to be the same code, wherever it moved to, and what
 * is between is compared line by line. diff_lines_free() afterwards.
 *
 * Valid before diff_filter() and diff_sort() and after: `row` is one of diff->rows.
 */
void diff_lines_load(struct diff_lines *lines, const struct diff *diff, const struct diff_row *row,
                     const struct column *column);
void diff_lines_free(struct diff_lines *lines);

#endif
