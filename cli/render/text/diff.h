/*
 * diff.h - two profiles side by side, as a table or Markdown.
 */
#ifndef TEXT_DIFF_H
#define TEXT_DIFF_H

#include "diff/environment.h"
#include "diff/own_diff.h"
#include "render/text/table_text.h"
#include "render/text/text.h"
#include "render/text/why_table.h"
#include "table/table.h"

#include <stdio.h>

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
    const char *setup; /* what the runs were given that differs; NULL: nothing */
    const struct environment_diff *environment;
    size_t n_why;
    const struct why *why; /* why totals changed, one for each event that is asked about */
    size_t n_why_groups;   /* of each the first N groups are shown */
    bool lines;            /* show changed lines under each function */
    const char *root;      /* see location.h */
    const struct crates *crates[DIFF_SIDES];
};

/* Writes the totals of every event, own code, the functions that changed, and how many are not
 * shown; as Markdown where `screen` is NULL. */
void diff_write(const struct diff_view *view, const struct text_screen *screen, FILE *out);
/* Writes the change in per cent, "+1.25"; "new" where OLD is 0, "gone" where NEW is 0, "=" where
 * nothing changed. Growth to more than ten times is how many times it is, behind a times sign: "x"
 * without UTF-8. */
void diff_percent_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after);
/* " %" where such a text is a percentage, else "". */
const char *diff_percent_unit(const char *text);
/* Writes the change with its sign: "+12,345", "-1", "0". */
void diff_change_text(char buffer[TEXT_NUMBER], int64_t change);

/* The cells of a count that two profiles have. The change, in per cent too, has a style. */
enum diff_part { DIFF_PART_OLD, DIFF_PART_NEW, DIFF_PART_CHANGE, DIFF_PART_PERCENT, DIFF_PARTS };
struct cell diff_cell(enum diff_part part, int64_t before, int64_t after, bool is_noise);

enum { DIFF_LINES_MAX = 10 /* lines of one function that are shown */ };

/* Fill tables of the totals, of the functions that are shown, with their lines or without, and of
 * the functions of own code; the caller frees them. */
void diff_totals_fill(const struct diff_view *view, struct table *table);
void diff_functions_fill(const struct diff_view *view, bool lines, struct table *table);
void diff_own_fill(const struct diff_view *view, bool lines, struct table *table);
/* Counts the functions that only NEW has, and those that only OLD has. */
void diff_count_unmatched(const struct diff *diff, size_t *n_new, size_t *n_gone);

#endif
