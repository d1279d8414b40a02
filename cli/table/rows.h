/*
 * rows.h - the rows of tables and JSON, one for each function with a cost.
 *
 * A row is a function of the profile. A cachegrind file books inlined code to a "function" of its
 * own for each source file: there, all records of one name are one row.
 *
 * Where calls are known (graph.h), rows have inclusive costs and calls, and functions that only
 * call others have rows too.
 *
 * Names are those of the profile, which names_apply() has prepared. Strings belong to the profile,
 * which must outlive the rows.
 */
#ifndef TABLE_ROWS_H
#define TABLE_ROWS_H

#include "cprof.h"
#include "names/crates.h"
#include "table/columns.h"

#include <regex.h>
#include <stdbool.h>

struct row {
    const char *name;
    const char *mangled; /* the linkage name; NULL: as `name`, or not known */
    const char *file;    /* the file of its definition; NULL: not known */
    const char *object;  /* the object's path; NULL: not known */
    uint32_t line;       /* 0: not known */
    char tag[24];      /* tells rows that look alike apart ("#2"), or gives the number of instances
                          ("[3 instances]"), else "" */
    uint64_t address;  /* the address of its code; 0: not known */
    uint32_t function; /* index in the profile; of several functions, the first of the most cost */
    const struct crate *crate; /* NULL: none, or crates were not set */
    unsigned char owner;       /* enum owner, where there is a crate */
    bool is_place;             /* a file or a line (groups.h): `name` is shown as locations are */
    const char *note;          /* a remark, for a column of these; NULL: none */
    uint32_t instances;    /* the number of instances of a generic function, where they are one row;
                              else 0 */
    unsigned char inlined; /* 1: some of its code was inlined into other functions */
    unsigned char bound;   /* the bound of the inclusive cost: enum bound, graph.h */
    bool entered_least;    /* `entered` is a lower bound */
    uint64_t entered;      /* how often its inlined copies were entered, or it as a stub; 0: not
                              known */
    const int64_t *counts; /* n_events own costs; where calls are known, n_events inclusive costs
                              and the number of calls */
};

struct rows {
    const struct cprof_profile *profile;
    size_t n;     /* rows that the filters kept */
    size_t n_all; /* all rows */
    size_t width; /* counts of a row of functions: rows_width() */
    struct row *items;
    int64_t *counts; /* the memory of the rows' counts */
    int64_t *totals; /* those of the program, laid out as the rows' counts */
    size_t n_owned, owned_room;
    char **owned; /* names that are not the profile's, but groups' */
};

/* Returns true where, as far as is known, all code of the function was inlined into others: it was
 * never called. */
static inline bool row_is_inlined(const struct row *row)
{
    return row->inlined && !row->address && !row->instances;
}

/* How often the function was called, which is `called`, and entered where it was inlined. */
static inline int64_t row_calls(const struct row *row, int64_t called)
{
    return row->entered > (uint64_t)(INT64_MAX - called) ? INT64_MAX
                                                         : called + (int64_t)row->entered;
}

/* False if code of the function ran, and nothing says how often it was called: it was jumped to, or
 * run on into, or is code whose functions nobody tells apart. */
static inline bool row_knows_calls(const struct row *row, int64_t called)
{
    return called > 0 || row->entered || row->inlined;
}

/* A ratio of a row: `*part` for each of `*whole`. Returns false where that is not known exactly. */
bool row_ratio(const struct row *row, const struct column *column, int64_t *part, int64_t *whole);

/* The number of counts of a row. */
size_t rows_width(const struct cprof_profile *profile);
/* Makes the rows of all functions with a cost, in the profile's order. */
void rows_load(struct rows *rows, const struct cprof_profile *profile);
/* rows_load(); but where nothing is known of calls, functions have inclusive costs of what was
 * inlined into them, as far as the profile tells, and no calls. */
void rows_load_inlined(struct rows *rows, const struct cprof_profile *profile);
/* The events of the profile, for columns of these rows of functions. */
struct events rows_events(const struct rows *rows);
/* The index of each function's row, in the present order; CPROF_NONE: it has none. The caller frees
 * it. */
uint32_t *rows_of_functions(const struct rows *rows);
/* Tells whether a name, short or in full, matches; `mangled` is its linkage name, or NULL. */
bool rows_name_matches(const char *name, const char *mangled, const regex_t *function);
/* Keeps rows whose name, short or in full, matches `function` and whose file (object, where no file
 * is known) matches `file`; NULL matches all. */
void rows_filter(struct rows *rows, const regex_t *function, const regex_t *file);
/* Sets the rows' crates, which must outlive them. */
void rows_set_crates(struct rows *rows, const struct crates *crates);
/* Keeps rows of the crate that `text` stands for: see crate_matches(). */
void rows_filter_crate(struct rows *rows, const char *text);
/* Sorts rows, highest first; equal ones by the column `then`, if not NULL, by name, and by all else
 * that tells them apart. */
void rows_sort(struct rows *rows, const struct column *column, const struct column *then);
/* The sum of a column over the first `n` rows. */
int64_t rows_sum(const struct rows *rows, const struct column *column, size_t n);
void rows_free(struct rows *rows);

#endif
