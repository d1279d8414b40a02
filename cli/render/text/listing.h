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

/* Filled up to `utf8` by the owner; the rest by listing_begin(). */
struct listing {
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

void listing_begin(struct listing *l);
void listing_end(struct listing *l);

/* "…" or "...". */
const char *listing_ellipsis(const struct listing *l);
/* The heads of the columns, and `text` as that of the texts. */
void listing_head(const struct listing *l, const char *text);
/* A row; without `counts` their cells are blank. `style` is one of style.h, or "". */
void listing_row(const struct listing *l, const int64_t *counts, const char *mark, const char *text,
                 const char *style);

/* Adds to what is left out. */
void listing_leave_out(struct listing *l, const int64_t *counts);
/* A row for what was left out, if anything: `indent`, how many, and `what` they are ("line"). With
 * `gap` there is a row in any case. */
void listing_left_out(struct listing *l, const char *what, const char *indent, bool gap);

/* Whether counts stand out: their value reaches `least`, or, where that is 0, any is not 0. */
bool listing_stands_out(const struct listing *l, const struct column *measure, double least,
                        const int64_t *counts);

#endif
