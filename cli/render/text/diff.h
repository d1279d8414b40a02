/*
 * diff.h - two profiles side by side, as a table or Markdown.
 */
#ifndef TEXT_DIFF_H
#define TEXT_DIFF_H

#include "diff/own_diff.h"
#include "render/text/grid.h"

#include <stdio.h>

enum diff_format { DIFF_TABLE, DIFF_MARKDOWN };

struct diff_view {
    const struct diff *diff;       /* filtered and sorted by `sort`, with labels */
    const struct columns *columns; /* of its frame */
    const struct column *sort;     /* the number that rows are sorted by */
    struct column_list shown;      /* of the table of functions: a number stands for old, new and
                                      change, a percentage for the change in per cent */
    bool percent, counts;          /* numbers are changes in per cent only, or have none of these */
    const struct own_diff *own;    /* own code, by its measure; NULL: none is shown */
    size_t n_own_changed;          /* its first N functions changed */
    size_t n_own;                  /* the first N are shown */
    bool functions;                /* the table of functions is shown */
    size_t n_changed;              /* rows whose `sort` changed; they stand first */
    size_t n_shown;                /* the first N of them are shown */
    bool filtered;
    bool lines;       /* show changed lines under each function */
    const char *root; /* see location.h */
    const struct crates *crates[DIFF_SIDES];
    struct grid_screen screen;
    bool fixed; /* the width is a real limit, for notes too */
};

/* Writes the totals of every event, own code, the functions that changed, and how many are not
 * shown. */
void diff_write(const struct diff_view *view, enum diff_format format, FILE *out);
/* Writes own code alone. */
void diff_write_own(const struct diff_view *view, enum diff_format format, FILE *out);
/* "memcmp +39,500, malloc -300": other code whose cost for a function changed most. The caller
 * frees it. */
char *diff_own_paid(const struct diff_view *view, const struct own_change *change);

/* Writes the change in per cent, "+1.25"; "new" where OLD is 0, "gone" where NEW is 0, "=" where
 * nothing changed. Growth to more than ten times is how many times it is, behind a times sign: "x"
 * without `utf8`. */
void diff_percent_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after, bool utf8);
/* " %" where such a text is a percentage, else "". */
const char *diff_percent_unit(const char *text);
/* The change from OLD to NEW, or the nearest limit of 64 bits. */
int64_t diff_change(int64_t before, int64_t after);
/* Writes the change with its sign: "+12,345", "-1", "0". */
void diff_change_text(char buffer[TEXT_NUMBER], int64_t change);

/* Columns of a side's count are left out in this order where texts have no room; the change stays.
 */
#define DIFF_SPARE(side) (1U + (unsigned)(side))

/* Adds the cells OLD, NEW, change. */
void diff_put_counts(struct grid *grid, int64_t before, int64_t after, bool is_noise);
/* Adds the cell of the change in per cent. */
void diff_put_percent(struct grid *grid, int64_t before, int64_t after, bool is_noise, bool utf8);
/* "src/a.rs:12", or "src/a.rs:12 (was 9)" where the line moved. The caller frees it. */
char *diff_line_text(const struct diff_view *view, const struct diff_line *line);
/* Writes a grid, and a line beside it. */
void diff_put_grid(const struct diff_view *view, const struct grid *grid, enum diff_format format,
                   FILE *out);
void diff_put_note(const struct diff_view *view, enum diff_format format, const char *text,
                   FILE *out);
enum { DIFF_LINES_MAX = 10 /* lines of one function that are shown */ };

/* True where the totals have the column of index `i`: each event, and the computed number that rows
 * are sorted by. */
bool diff_has_total(const struct diff_view *view, size_t i);
/* Counts the functions that only NEW has, and those that only OLD has. */
void diff_count_unmatched(const struct diff *diff, size_t *n_new, size_t *n_gone);

#endif
