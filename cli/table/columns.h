/*
 * columns.h - what can be shown of a function: one table that the tables, JSON, --sort, --columns
 * and the help all read.
 *
 * Every event of a profile is a column, known here or not; computed columns are weighted sums of
 * events, and exist where all their events do. Where calls are known, each of these has an
 * inclusive column beside it: "Dr.incl", and "Incl" for the first event. Names are found in any
 * case.
 */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include "cprof.h"

#include <stdbool.h>
#include <stdio.h>

enum column_kind {
    COLUMN_COUNT,     /* a function's own cost: adds up to the total */
    COLUMN_INCLUSIVE, /* with what it called */
    COLUMN_CALLS,
    COLUMN_PERCENT,  /* of another column; its terms are that one's */
    COLUMN_FUNCTION, /* text from here on */
    COLUMN_LOCATION,
    COLUMN_OBJECT,
    COLUMN_CRATE,
    COLUMN_NOTE /* of tables that have something to say of a row: not one of a profile's columns */
};

enum { COLUMN_TERMS = 8 };

struct column_term {
    uint32_t value; /* index in a row's counts: see rows.h */
    int64_t weight;
};

/* A column of one profile. Its strings are borrowed from this module's table or from the profile.
 */
struct column {
    const char *name;   /* as typed by the user */
    const char *header; /* as shown */
    const char *help;   /* one sentence, no full stop; NULL: an event that only its writer knows */
    enum column_kind kind;
    size_t self; /* of numbers: the COLUMN_COUNT of the same events, index in the columns */
    unsigned n_terms;
    struct column_term terms[COLUMN_TERMS];
};

struct columns {
    size_t n, room;
    struct column *items;
    size_t n_owned, owned_room;
    char **owned; /* names that are made here */
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

/* The columns that `profile` has: events in its order, then the computed ones, inclusive ones and
 * calls, then texts. */
void columns_load(struct columns *columns, const struct cprof_profile *profile);
/* Takes all columns of a kind out, of texts or calls. */
void columns_remove(struct columns *columns, enum column_kind kind);
void columns_free(struct columns *columns);
/* The column called `name`, or headed so ("Inclusive"), in any case, or NULL. */
const struct column *columns_find(const struct columns *columns, const char *name);
/* The inclusive column of a count, or NULL. */
const struct column *columns_inclusive(const struct columns *columns, const struct column *count);
/* All names, "Ir, Dr, ..."; those that rows can be sorted by with `numbers`. Of the inclusive ones
 * the first stands for all. The caller frees it. */
char *columns_names(const struct columns *columns, bool numbers);

/* Whether the table knows a column of that name (before there is a profile that has it), and all
 * names it knows. */
bool column_is_known(const char *name, bool numbers);
char *column_known_names(bool numbers);
/* Writes each known column, name and what it means, for help texts of `width` columns. */
void column_help(FILE *out, unsigned width);

/* The column's value of a row's counts; the largest number there is where it would exceed that. */
int64_t column_value(const struct column *column, const int64_t *counts);

#endif
