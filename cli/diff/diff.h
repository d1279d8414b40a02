/*
 * diff.h - the comparison of two profiles, function by function.
 *
 * Functions are matched by their keys (normalise.h): those with one key are one row, with their
 * costs added up. Functions without a partner on the other side are matched by their loose keys. A
 * row is in OLD, in NEW or in both.
 *
 * Counts are those of the common events, which both profiles have, in NEW's order. They are laid
 * out as in rows.h: own costs, and where calls are known on both sides, inclusive costs and the
 * number of calls. So columns.h works on them: columns_load(&columns, diff->common), then
 * column_value(column, row->counts[DIFF_OLD]) and diff_delta(column, row).
 *
 * Inclusive costs of functions in one row overlap where these call each other. They are added up to
 * at most the program's cost.
 *
 * The two profiles and their noise must outlive the diff; nothing else is borrowed.
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "cprof.h"
#include "diff/noise.h"
#include "names/names.h"
#include "table/columns.h"

#include <regex.h>
#include <stdbool.h>

enum diff_side { DIFF_OLD, DIFF_NEW, DIFF_SIDES };

/* The counts of a row in each order of threads that ran, `width` ones each; first those that are
 * shown. NULL: there was one order, and it is that. */
struct diff_band {
    size_t n;
    int64_t *counts;
};

struct diff_row {
    char *name;  /* its key; the loose key where functions of several keys were matched */
    char *label; /* as it is shown: diff_set_labels(); NULL before */
    enum diff_side
        side;          /* the profile of the function that describes the row: the costliest one, */
    uint32_t function; /* NEW's first; and its index there */
    uint32_t n_functions[DIFF_SIDES];
    size_t n_aliases;
    char **aliases; /* other names of its functions, which gates know it by: diff_set_aliases() */
    const char *file, *object;   /* the place of that function; NULL: not known */
    uint32_t line;               /* 0: not known */
    bool in[DIFF_SIDES];         /* true where a function of that profile is in the row */
    bool empty;                  /* its functions cost nothing: other code was inlined into them */
    int64_t *counts[DIFF_SIDES]; /* `width` ones */
    uint32_t index;              /* the value of row_of for its functions */
    struct diff_band band[DIFF_SIDES];
    int64_t *noise_threshold; /* the noise thresholds, `width` counts: smaller changes vary from run
                                 to run; NULL: not known */
};

struct diff {
    const struct cprof_profile *profile[DIFF_SIDES];
    const struct noise *noise[DIFF_SIDES]; /* NULL: not known */
    struct events common;                  /* those of both profiles */
    size_t width;                          /* the number of a row's counts */
    size_t n, n_all;                       /* rows that the filters kept; all rows */
    struct diff_row *rows;
    struct diff_row total;        /* the programs' totals */
    size_t n_loose;               /* rows that were matched by the loose key */
    char *missing[DIFF_SIDES];    /* events that only the other profile has, "Dr, Dw"; NULL: none */
    uint32_t *events[DIFF_SIDES]; /* the profile's index of each common event */
    uint32_t *row_of[DIFF_SIDES]; /* the row's index of each function, or CPROF_NONE where it has no
                                     cost */
    bool sampled;                 /* noise thresholds are of samples, too */
    unsigned runs; /* the number of runs that the noise thresholds are from; 0: there are none */
    bool orders;   /* they ran in different orders of threads, so that there are bands */
};

/* Compares two profiles. `noise` is the measured noise of each side, NULL where it is not known:
 * the wider one makes the thresholds, and one of orders the side's bands. Without a common event,
 * common.n is 0 and there are no rows. */
void diff_load(struct diff *diff, const struct cprof_profile *old_profile,
               const struct cprof_profile *new_profile,
               const struct noise *const noise[DIFF_SIDES]);
/* Adds a profile's counts of the common events, from those of all its events. */
void diff_add_common(const struct diff *diff, enum diff_side side, int64_t *to,
                     const int64_t *from);
/* Keeps rows that are not empty and whose name or label matches `function` and whose file (object,
 * where no file is known) matches `file`; NULL matches all. */
void diff_filter(struct diff *diff, const regex_t *function, const regex_t *file);
/* Sorts rows by the size of the change, greatest first; equal ones by name. Unchanged rows come
 * last. */
void diff_sort(struct diff *diff, const struct column *column);
void diff_free(struct diff *diff);

/* The number of orders of threads that a side's counts are known of: 0 where it had one thread, so
 * that there is no order. */
unsigned diff_orders(const struct cprof_profile *profile, const struct noise *noise);

/* NEW - OLD of a column, or the nearest number where that exceeds 64 bits. */
int64_t diff_delta(const struct column *column, const struct diff_row *row);
/* Returns true where a column changed by more than the row's noise threshold. */
bool diff_is_changed(const struct column *column, const struct diff_row *row);

/*--- Names ---*/

/*
 * A row is of a function as the source has it: all instances of a generic function are one row,
 * which has the name that the table of functions has for the one, and the number of instances
 * where there are several.
 */

/* Sets the labels of all rows: in NAME_SHORT the short name of the function that describes the row,
 * in NAME_RAW its linkage name, in NAME_FULL the row's own name. Rows of one place whose short
 * names are equal have their own. */
void diff_set_labels(struct diff *diff, enum name_style style);
/* Sets the aliases of all rows: the names of their functions, short as a table of each profile
 * shows them, and in full. */
void diff_set_aliases(struct diff *diff);

/* Raises the noise thresholds of a diff of two sampled profiles, whose common events these are of,
 * to what chance alone may do to counts of something that is no row. */
void sample_noise_raise_counts(const struct diff *diff, int64_t *const counts[DIFF_SIDES],
                               int64_t *thresholds);

#endif
