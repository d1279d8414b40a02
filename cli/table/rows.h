/*
 * rows.h - a profile as rows, one per function with its own cost: what tables and JSON show.
 *
 * A row is a function of the profile. In a cachegrind file, which books inlined code to a
 * "function" of its own per source file, the records of one name are one row.
 *
 * Where calls are known (graph.h), rows have inclusive costs and calls, and functions that only
 * called others are rows too.
 *
 * Names are those of the profile: names_apply() has made them what they should be.
 *
 * Strings are the profile's, which must outlive the rows.
 */
#ifndef TABLE_ROWS_H
#define TABLE_ROWS_H

#include "cprof.h"
#include "table/columns.h"
#include "names/crates.h"

#include <regex.h>
#include <stdbool.h>

struct row {
    const char *name;
    const char *mangled;   /* NULL: as `name`, or not known */
    const char *file;      /* where it is defined; NULL: not known */
    const char *object;    /* path; NULL: not known */
    uint32_t object_index; /* CPROF_NONE: not known */
    uint32_t line;         /* 0: not known */
    char tag[24];          /* tells rows apart that look alike ("[h0123abcd]"), or says how many
                              instances there are ("[3 instances]"), else "" */
    uint64_t address;      /* where its code begins; 0: not known */
    uint32_t
        function; /* index in the profile; where several make one row, the first of most cost */
    const struct crate *crate; /* NULL: not asked for, or none */
    bool is_place;             /* a file or a line (groups.h): `name` is shown as a location is */
    const char *note;          /* for COLUMN_NOTE; NULL: nothing */
    uint32_t instances;        /* of a generic function, where they are one row; else 0 */
    unsigned char inlined;     /* 1: some of its code was compiled into other functions */
    unsigned char bound;       /* of the inclusive cost: enum bound, graph.h */
    const int64_t *counts; /* n_events own ones; where calls are known, n_events inclusive ones and
                              the number of calls */
};

struct rows {
    const struct cprof_profile *profile;
    size_t n;     /* rows that passed the filters */
    size_t n_all; /* functions with any cost */
    struct row *items;
    int64_t *counts; /* where the rows' counts are */
    int64_t *totals; /* of the program, as the rows' counts */
    size_t n_owned, owned_room;
    char **owned; /* names that are not the profile's: of groups */
};

/* Whether all of its code was compiled into other functions, as far as is known: nobody called it.
 */
static inline bool row_is_inlined(const struct row *row)
{
    return row->inlined && !row->address && !row->instances;
}

/* How many counts a row has. */
size_t rows_width(const struct cprof_profile *profile);
/* Makes the rows of all functions that have a cost, in the profile's order. */
void rows_load(struct rows *rows, const struct cprof_profile *profile);
/* Of each function of the profile, which row it is in, as they now stand; CPROF_NONE: in none. The
 * caller frees it. */
uint32_t *rows_of_functions(const struct rows *rows);
/* Keeps rows whose name, as it is or in full, matches `function` and whose file (object, where no
 * file is known) matches `file`; NULL matches all. */
void rows_filter(struct rows *rows, const regex_t *function, const regex_t *file);
/* Sets the rows' crates, which must outlive them. */
void rows_set_crates(struct rows *rows, const struct crates *crates);
/* Keeps rows of the crate that `text` means; see crate_matches(). */
void rows_filter_crate(struct rows *rows, const char *text);
/* Highest first; equal ones by name, then whatever else tells them apart. */
void rows_sort(struct rows *rows, const struct column *column);
/* The sum of a column over the first `n` rows. */
int64_t rows_sum(const struct rows *rows, const struct column *column, size_t n);
void rows_free(struct rows *rows);

#endif
