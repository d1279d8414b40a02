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

/* The events of a profile, of two that are compared, or of a run to come. Names are borrowed. */
struct events {
    uint32_t n;
    const struct cprof_event *items;
    enum cprof_subject subject;
    bool inclusive; /* costs of callees are known */
    bool paths;     /* and so are call paths, by which groups have inclusive costs */
    bool sampled;   /* counts are of samples */
    bool perf;      /* and perf took them: of several events where somebody asked for these */
};

struct events events_of(const struct cprof_profile *profile);
/* True where numbers of calls are known: samples do not tell. */
static inline bool events_have_calls(const struct events *events)
{
    return events->inclusive && !events->sampled;
}
/* True where the first event is that one, and sampled. */
bool events_are_samples(struct events events, const char *first);

/* The kind decides what may be done with a column. Others ask by the functions below. */
enum column_kind {
    COLUMN_COUNT,     /* the function's own cost; adds up to the total */
    COLUMN_INCLUSIVE, /* the cost with that of callees */
    COLUMN_CALLS,
    COLUMN_RATIO,    /* a count for each of another; it adds up to nothing, and has no share */
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
    uint32_t per;   /* of a ratio: the index in a row's counts of what the terms are divided by */
    bool per_calls; /* and that is the number of calls */
};

/* Turns a copy of a column into one of remarks on rows. */
static inline void column_make_note(struct column *column)
{
    column->kind = COLUMN_NOTE;
}

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

/* A count that has a share of a total, and that rows can be sorted by. */
static inline bool column_is_number(const struct column *column)
{
    return column->kind < COLUMN_RATIO;
}

/* A number whose rows add up to the total: an own cost. */
static inline bool column_adds_up(const struct column *column)
{
    return column->kind == COLUMN_COUNT;
}

static inline bool column_is_inclusive(const struct column *column)
{
    return column->kind == COLUMN_INCLUSIVE;
}

static inline bool column_is_calls(const struct column *column)
{
    return column->kind == COLUMN_CALLS;
}

static inline bool column_is_ratio(const struct column *column)
{
    return column->kind == COLUMN_RATIO;
}

static inline bool column_is_share(const struct column *column)
{
    return column->kind == COLUMN_PERCENT;
}

static inline bool column_is_interval(const struct column *column)
{
    return column->kind == COLUMN_INTERVAL;
}

static inline bool column_is_text(const struct column *column)
{
    return column->kind >= COLUMN_FUNCTION;
}

/* The function's name, or that of a group. */
static inline bool column_is_name(const struct column *column)
{
    return column->kind == COLUMN_FUNCTION;
}

static inline bool column_is_place(const struct column *column)
{
    return column->kind == COLUMN_LOCATION;
}

static inline bool column_is_object(const struct column *column)
{
    return column->kind == COLUMN_OBJECT;
}

static inline bool column_is_crate(const struct column *column)
{
    return column->kind == COLUMN_CRATE;
}

static inline bool column_is_note(const struct column *column)
{
    return column->kind == COLUMN_NOTE;
}

/* Finds the columns: events in order, then computed ones, inclusive ones, calls, and texts. */
void columns_load(struct columns *columns, struct events events);
void columns_remove_calls(struct columns *columns);
/* Removes ratios, for rows that are no functions. */
void columns_remove_ratios(struct columns *columns);
void columns_free(struct columns *columns);
/* The column with that name, or with that header ("Inclusive"), in upper or lower case, or NULL. */
const struct column *columns_find(const struct columns *columns, const char *name);
/* The count that a profile of the heap or of data is sorted by, or NULL: the first one. */
const char *columns_subject_event(enum cprof_subject subject);
/* The column that rows are sorted by where nobody says so: of what the profile is about. */
const struct column *columns_subject(const struct columns *columns, enum cprof_subject subject);
/* The inclusive column of a count, or NULL. */
const struct column *columns_inclusive(const struct columns *columns, const struct column *count);
/* All names, "Ir, Dr, ...", or (`numbers`) those that rows can be sorted by, ratios too. The first
 * inclusive column stands for all. The caller frees the text. */
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
