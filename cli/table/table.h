/*
 * table.h - a table, whatever it is about: columns, rows, and the lines around it.
 *
 * A subject (the heap, data, functions) fills a table, once. Each form (text, Markdown, a page,
 * CSV, JSON) lays out all of them, by what the columns say about themselves. A list of the browser
 * has columns of a table, too, and makes cells of the rows that are on the screen.
 *
 * Life cycle: table_begin, table_column for each column, table_put for each row, a form's writing
 * function, table_free.
 */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include "cprof.h"
#include "table/callers.h"
#include "table/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The contents of a column, and with that what may be done with its cells. */
enum table_kind {
    TABLE_COUNT, /* adds up over rows, and has shares; may be rounded where there is little room */
    TABLE_SHARE, /* a count in percent of another: no sum, no share of its own */
    TABLE_RATIO, /* one count for each of another: no sum, no share */
    TABLE_VALUE, /* any other number: a size, an offset, a range */
    TABLE_NAME,  /* texts, from here on: what has names in code */
    TABLE_PLACE, /* a file with a line, or an object */
    TABLE_NOTE   /* may be left out where there is no room */
};

static inline bool table_kind_is_text(enum table_kind kind)
{
    return kind >= TABLE_NAME;
}

/*--- Cells ---*/

/* From CELL_ORIGIN on: the colour of a kind of code, CELL_ORIGIN + enum origin. */
enum cell_style { CELL_PLAIN, CELL_DIM, CELL_BOLD, CELL_MORE, CELL_LESS, CELL_ORIGIN };

enum cell_kind {
    CELL_TEXT,
    CELL_COUNT,
    CELL_CHANGE,   /* a count with its sign */
    CELL_DURATION, /* a count of nanoseconds */
    CELL_SHARE,
    CELL_RATIO, /* a count for each of another, with a digit after the point where it is small */
    CELL_CALLS, /* of a function; 0: its code was inlined */
    CELL_REAL,
    CELL_SIZE /* of a cache, in bytes; 0: there is none */
};

struct cell {
    enum cell_kind kind;
    enum cell_style style; /* CELL_PLAIN: that of its row */
    int64_t value, whole; /* of a share: a part, and what it is a part of; 0: not known, which calls
                             can be, too */
    double real;
    unsigned decimals; /* of shares and reals */
    bool about;        /* a count that was rounded before it came here; there may be more calls */
    char *text;        /* as it is; the cell's own. Of a number: stands in place of it */
    const char *small; /* behind the text, in small letters on a page; borrowed, or NULL */
    const char *file;  /* of a place, as the profile has it, for a link; borrowed, or NULL */
    uint32_t line;     /* of `file` */
    uint32_t function; /* 1 + that of the profile, where the cell is of one; 0: none is known */
    unsigned key;      /* of a legend: 1 + the number of a curve in a picture; 0: none */
    const struct row
        *row; /* the row of a function or group that it belongs to; borrowed, or NULL */
};

struct cell cell_count(int64_t value);
struct cell cell_change(int64_t value);
struct cell cell_duration(int64_t nanoseconds);
struct cell cell_share(int64_t part, int64_t whole, unsigned decimals);
/* A number of counts by its column, whose shares are of `totals`; calls and ratios are of rows. */
struct cell cell_column(const struct column *column, const int64_t *counts, const int64_t *totals);
/* A ratio of a row. */
struct cell cell_ratio(const struct row *row, const struct column *column);
/* How often the function of a row was called, which is `called`, and entered where it was inlined;
 * quiet where that is an estimate, or not known. */
struct cell cell_calls(const struct row *row, int64_t called);
struct cell cell_real(double value, unsigned decimals);
struct cell cell_size(uint64_t bytes);
/* A number that nobody counted. */
struct cell cell_unknown(void);
struct cell cell_blank(void);
/* A copy of `text`; NULL is blank. */
struct cell cell_text(const char *text);
/* Takes over `text`; NULL is blank. */
struct cell cell_take(char *text);
/* Takes over the text of a place; `file` must outlive the table. */
struct cell cell_place(char *text, const char *file);
/* "src/main.rs:8", or the function's object where the file is not known; "": neither is. `root` is
 * the folder that places are shown relative to. */
struct cell cell_spot(const struct cprof_profile *profile, const struct code_spot *spot,
                      const char *root);
/* The name of a function; CPROF_NONE: blank. */
struct cell cell_function(const struct cprof_profile *profile, uint32_t function);
struct cell cell_styled(struct cell cell, enum cell_style style);
void cell_free(struct cell *cell);

/* The number that rows are sorted by. What is not known is less than all that is. */
long double cell_order(const struct cell *cell);

/* A cell for programs to read: its text, its `value` as it is, or a number with a fraction, which
 * has three digits after the point; shares are in percent. CONTENT_NONE: it is not known, or there
 * is none. */
enum cell_content { CONTENT_NONE, CONTENT_TEXT, CONTENT_COUNT, CONTENT_REAL };
/* Finds it; `real` gets the number with a fraction. */
enum cell_content cell_content(const struct cell *cell, double *real);

/*--- Tables ---*/

struct table_column {
    const char *heading;
    enum table_kind kind;
    unsigned spare; /* the order in which columns are left out where texts have no room: 1 first;
                       0: never */
    /* Makes the cell of a row, which is what was given to table_put(). `subject` is that of
     * table_begin(). */
    struct cell (*cell)(const void *subject, const void *row, const struct table_column *column);
    bool whole; /* of a note in the last column, behind a name: never cut; where one has no room,
                   all stand in lines below their rows */
    int id;     /* for `cell`, where one function makes several columns */
    const void *shows; /* for `cell`: the column or the count that is shown, where there is one */
    const char *help;  /* for a page; NULL: none */
    const char *class; /* of its cells on a page; NULL: that of its kind */
    int64_t total;   /* of a count, that rows are a part of; 0: the page does not say how much of it
                        a filter leaves */
    bool heads_rows; /* a page reads its cells out as the heads of rows */
    bool names_sums; /* a row of what was left out has its name here; other texts are blank there */
};

enum { TABLE_FINDINGS = 3 };

/* All texts are its own. */
struct table {
    const void *subject;
    size_t n_columns, columns_room;
    struct table_column *columns;
    size_t n_rows, n_cells, room;
    struct cell *cells;             /* row by row */
    char *heading, *totals;         /* NULL: none */
    char *findings[TABLE_FINDINGS]; /* sentences; NULL: none */
    char *closing;                  /* a sentence below the rows; NULL: none */
};

void table_begin(struct table *table, const void *subject);
/* Adds a column, which is copied, its heading too. */
void table_column(struct table *table, const struct table_column *column);
void table_columns(struct table *table, const struct table_column *columns, size_t n);
void table_put(struct table *table, const void *row, enum cell_style style);
/* Adds a row of what was left out, or is put to no row: its numbers, and its name. */
void table_put_sum(struct table *table, const void *row, const char *name);
static inline const struct cell *table_at(const struct table *table, size_t row, size_t column)
{
    return &table->cells[row * table->n_columns + column];
}
/* The word of a kind: "count", "share". */
const char *table_kind_word(enum table_kind kind);
/* The names that programs know columns by, for table_names_free(): headings, behind the name of the
 * column to the left where an earlier one has that heading, too ("Inclusive %"); the word of its
 * kind where a column has none. */
char **table_names(const struct table *table);
void table_names_free(char **names, const struct table *table);
/* Removes all rows: a large table is made and written piece by piece. */
void table_clear(struct table *table);
/* Removes columns in which all rows are blank. */
void table_drop_blank(struct table *table);
void table_free(struct table *table);

#endif
