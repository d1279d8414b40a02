/*
 * columns.h - the columns of functions: one list for tables, JSON, --sort, --columns and the help.
 *
 * Every event of a profile is a column, known here or not. Computed columns are weighted sums of
 * events, and exist where all their events do. Where calls are known, each of these has an
 * inclusive column beside it: "Dr.incl", and "Incl" for the first event. Names are found in upper
 * and lower case.
 */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include "cprof.h"

#include <stdbool.h>
#include <stdio.h>

enum column_kind {
    COLUMN_COUNT,     /* the function's own cost; adds up to the total */
    COLUMN_INCLUSIVE, /* the cost with that of callees */
    COLUMN_CALLS,
    COLUMN_PERCENT,  /* a percentage of another column, which has the same terms */
    COLUMN_INTERVAL, /* the interval of 95 % of that, of samples (share.h) */
    COLUMN_FUNCTION, /* this kind and all below are texts */
    COLUMN_LOCATION,
    COLUMN_OBJECT,
    COLUMN_CRATE,
    COLUMN_NOTE /* a remark on a row, in some tables; no profile has this column */
};

enum { COLUMN_TERMS = 8 };

struct column_term {
    uint32_t value; /* index in a row's counts (rows.h) */
    int64_t weight;
};

/* A column of one profile. Its strings belong to the list of known columns or to the profile. */
struct column {
    const char *name;   /* as the user types it */
    const char *header; /* as tables show it */
    const char
        *help; /* one sentence without a full stop; NULL: an event that only its writer knows */
    enum column_kind kind;
    bool is_duration; /* nanoseconds that threads were off the processor: shown as "658 ms" */
    size_t self;      /* of numbers: the index of the COLUMN_COUNT of the same events */
    unsigned n_terms;
    struct column_term terms[COLUMN_TERMS];
};

struct columns {
    size_t n, room;
    struct column *items;
    size_t n_owned, owned_room;
    char **owned; /* names that columns_load() made */
};

/* Columns that are shown, in their order. They are borrowed, and so is the array. */
struct column_list {
    size_t n;
    const struct column *const *items;
};

static inline bool column_is_number(const struct column *column)
{
    return column->kind < COLUMN_PERCENT;
}

/* Finds the columns of `profile`: events in its order, then computed ones, inclusive ones, calls,
 * and texts. */
void columns_load(struct columns *columns, const struct cprof_profile *profile);
/* Removes all columns of a kind, of texts or calls. */
void columns_remove(struct columns *columns, enum column_kind kind);
void columns_free(struct columns *columns);
/* The column with that name, or with that header ("Inclusive"), in upper or lower case, or NULL. */
const struct column *columns_find(const struct columns *columns, const char *name);
/* The count that a profile of the heap or of data is sorted by, or NULL: the first one. */
const char *columns_subject_event(enum cprof_subject subject);
/* The column that rows are sorted by where nobody says so: of what the profile is about. */
const struct column *columns_subject(const struct columns *columns,
                                     const struct cprof_profile *profile);
/* The inclusive column of a count, or NULL. */
const struct column *columns_inclusive(const struct columns *columns, const struct column *count);
/* All names, "Ir, Dr, ...", or (`numbers`) those that rows can be sorted by. The first inclusive
 * column stands for all. The caller frees the text. */
char *columns_names(const struct columns *columns, bool numbers);

/* Writes each known column, its name and its meaning, for help texts of `width` columns. */
void column_help(FILE *out, unsigned width);

/* The unit of a count, with which its description (or NULL) begins where it is another one than
 * calls, instructions and the like. */
enum count_unit { UNIT_COUNT, UNIT_NANOSECONDS, UNIT_BYTES };
enum count_unit count_unit(const char *description);

/* The column's value of a row's counts, or INT64_MAX where the sum exceeds that. */
int64_t column_value(const struct column *column, const int64_t *counts);

#endif
