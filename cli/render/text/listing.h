/*
 * listing.h - rows of costs beside code: counts, a mark (a line's number, an address), and text.
 * What is left out between two rows is added up, so that nothing is lost.
 */
#ifndef TEXT_LISTING_H
#define TEXT_LISTING_H

#include "table/columns.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Filled up to `utf8` by the owner; the rest by sheet_begin(). */
struct sheet {
    FILE *out;
    const struct column *const *columns; /* counts and percentages */
    size_t n_columns;
    uint32_t n_events;    /* of the rows' counts */
    const int64_t *whole; /* what percentages are of */
    const int64_t *reach; /* what no row exceeds; NULL: the whole, nothing being below 0 */
    const char *mark;     /* the head over the marks */
    unsigned mark_width;
    unsigned width; /* texts are cut to it where it is `fixed` */
    bool fixed, color, utf8;

    unsigned *widths; /* of each column */
    unsigned text;    /* columns for text; 0: no limit */
    int64_t *sum;     /* of what was left out since the last row */
    uint32_t n_left_out;
};

void sheet_begin(struct sheet *s);
void sheet_end(struct sheet *s);

/* "…" or "...". */
const char *sheet_ellipsis(const struct sheet *s);
/* The heads of the columns, and `text` as that of the texts. */
void sheet_head(const struct sheet *s, const char *text);
/* A row; without `counts` their cells are blank. `style` is one of style.h, or "". */
void sheet_row(const struct sheet *s, const int64_t *counts, const char *mark, const char *text,
               const char *style);

/* Adds to what is left out. */
void sheet_leave_out(struct sheet *s, const int64_t *counts);
/* A row for what was left out, if anything: `indent`, how many, and `what` they are ("line"). With
 * `gap` there is a row in any case. */
void sheet_left_out(struct sheet *s, const char *what, const char *indent, bool gap);

/* Whether counts stand out: their value reaches `least`, or, where that is 0, any is not 0. */
bool sheet_stands_out(const struct sheet *s, const struct column *measure, double least,
                      const int64_t *counts);

#endif
