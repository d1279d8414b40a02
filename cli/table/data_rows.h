/*
 * data_rows.h - which data misses, as rows: data, and below it the lines of code that miss in it.
 *
 * Blocks of the heap are one row for each line of code that allocated them, whatever the call path:
 * the nearest caller (callers.h) above. Who misses is told by the nearest caller, too. The misses
 * of all rows are those of the program, and the misses of a row those of its touches.
 */
#ifndef TABLE_DATA_ROWS_H
#define TABLE_DATA_ROWS_H

#include "cprof.h"
#include "table/callers.h"
#include "table/type_rows.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

enum { DATA_OFFSETS = 4 };

/* Fields that one access reaches. */
struct touched_field {
    const struct fields *layout;
    size_t first, last; /* in `layout` */
    int64_t d1;         /* misses of D1 */
};

/* The use of lines, where it is known: lines that D1 fetched, and bytes of them that were used. */
struct line_use {
    int64_t lines, used;
};

/* A line of code that misses in a row's data: a caller's, or else any. Offsets are those in
 * elements of `stride` bytes; 0: in the whole of it. */
struct data_touch {
    struct code_spot spot;
    uint32_t within;   /* the function that misses most: the spot's, or one that it calls, or that
                          was inlined there */
    uint32_t n_within; /* functions that miss there */
    int64_t misses[CPROF_DATA_EVENTS];
    struct line_use use;
    uint64_t stride;
    unsigned n_offsets; /* DATA_OFFSETS + 1: there are more */
    uint64_t offsets[DATA_OFFSETS];
    unsigned n_fields;  /* of the row's type; DATA_OFFSETS + 1: there are more */
    bool beside_fields; /* some misses are at no field that is known */
    struct touched_field fields[DATA_OFFSETS]; /* most misses of D1 first */
};

struct data_row {
    const struct cprof_datum *datum; /* one of its data; they are alike */
    struct code_spot spot;           /* of blocks: who allocated, and where; of stacks: whose */
    uint32_t type;                   /* of it, or of its elements; CPROF_NONE: not known */
    int64_t misses[CPROF_DATA_EVENTS];
    struct line_use use;
    size_t n;
    struct data_touch *touches; /* most misses first */
};

/* True for the name of a count that rows are measured by: D1m or DLm. */
bool data_is_event(const char *name);

/* Rows are sorted by it, and shares are of it. */
enum data_measure { DATA_D1, DATA_LL };

struct data_table {
    const struct cprof_profile *profile;
    enum data_measure measure;
    int64_t misses[CPROF_DATA_EVENTS];
    struct line_use use;
    size_t n, n_shown;     /* the first `n_shown` are those that a filter has left */
    struct data_row *rows; /* most misses first */
    struct data_touch *touches;
    struct fields *fields; /* of each type */
};

/* Makes the rows of the callers' profile. data_table_free() frees them. */
void data_table_load(struct data_table *table, const struct callers *callers,
                     enum data_measure measure);
/* Makes the rows only, without misses, of a table that has its profile and nothing else. Returns
 * the row of each datum, for the caller to free. */
uint32_t *data_table_rows(struct data_table *table, const struct callers *callers);
/* Shows only rows of which the name, the type, or the function of a touch matches; where only
 * touches match, they come first. */
void data_table_filter(struct data_table *table, const regex_t *filter);
void data_table_free(struct data_table *table);

/* Tells whether a row's name or type matches. */
bool data_row_matches(const struct data_row *row, const struct name_filter *filter);

/* Bytes of the lines that D1 fetched, and those of them that were not used. */
static inline int64_t line_use_bytes(const struct line_use *use)
{
    return use->lines * CPROF_LINE_SIZE;
}

static inline int64_t line_use_wasted(const struct line_use *use)
{
    return line_use_bytes(use) - use->used;
}

static inline void line_use_add(struct line_use *to, const struct line_use *from)
{
    to->lines += from->lines;
    to->used += from->used;
}

/* The measure of a table that is sorted by the column called `name`; D1 where that is NULL or no
 * count of LL. */
enum data_measure data_measure_of(const char *name);

/* Misses by the measure, of reading and writing. */
static inline int64_t data_row_misses(const int64_t *misses, enum data_measure measure)
{
    return measure == DATA_D1 ? misses[CPROF_D1MR] + misses[CPROF_D1MW]
                              : misses[CPROF_DLMR] + misses[CPROF_DLMW];
}

/* The variable, ".rodata of libc.so.6", the file, or the function that allocated the blocks or
 * whose frames they are; "" where the kind says all. The caller frees it. */
char *data_row_name(const struct cprof_profile *profile, const struct data_row *row);
/* "every 128 B", "at 56; every 64 B", "at 8", "any byte", or fields: ".mass at 48", ".pos,.mass";
 * "" where it says nothing. The caller frees it. */
char *data_row_offsets(const struct cprof_profile *profile, const struct data_row *row,
                       const struct data_touch *touch);
/* The functions that miss for another one, "memcpy", "memcpy and 2 more"; "" where it does so
 * itself. `name` is that of touch->within. The caller frees it. */
char *data_touch_within(const struct data_touch *touch, const char *name);
/* "Particle, 64 bytes"; "" where the type is not known. The caller frees it. */
char *data_row_type(const struct cprof_profile *profile, const struct data_row *row);

/*--- The use of lines ---*/

/*
 * The use of the lines that D1 fetched, by function: a row for each caller (callers.h), with all
 * that it and other code below it fetched.
 */

struct line_row {
    struct code_spot spot; /* the function, and its line that wastes most */
    struct line_use use;
};

struct line_table {
    const struct cprof_profile *profile;
    struct line_use use;   /* of all */
    size_t n, n_shown;     /* the first `n_shown` are those that a filter has left */
    struct line_row *rows; /* most bytes first that were not used */
};

/* Makes the rows of the callers' profile. line_table_free() frees them. */
void line_table_load(struct line_table *table, const struct callers *callers);
/* Shows only functions whose name matches. */
void line_table_filter(struct line_table *table, const regex_t *filter);
void line_table_free(struct line_table *table);

#endif
