/*
 * listing.h - rows of costs beside code: counts, a mark (a line's number, an address), and text.
 * Rows that are left out between two others are summed up, so that nothing is lost.
 *
 * Where texts have little room, counts are rounded.
 */
#ifndef TEXT_LISTING_H
#define TEXT_LISTING_H

#include "render/text/table_text.h"
#include "table/columns.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The owner fills it up to `most_runs`, listing_begin() fills the rest. */
struct listing {
    FILE *out;
    struct column_list columns; /* counts and percentages */
    uint32_t n_events;          /* in the rows' counts */
    uint32_t n_own;             /* counts from here on overlap, and are not summed up; 0: none */
    const int64_t *whole;       /* percentages are of it */
    const int64_t
        *reach;       /* no row exceeds it; NULL: none exceeds the whole, and no count is below 0 */
    const char *mark; /* the head over the marks */
    unsigned mark_width;
    struct text_screen screen; /* texts are cut to its width where that is fixed */
    uint64_t most_runs;        /* no line ran more often; 0: there is no column of runs */

    unsigned *widths; /* of each column */
    unsigned text;    /* columns for text; 0: no limit */
    bool rounded;     /* counts are */
    int64_t *sum;     /* of the counts left out since the last row */
    uint32_t n_left_out;
    unsigned runs_width; /* 0: there is no column of runs, or no room for it */
    uint64_t runs;       /* of the next row, which sets it back to 0; 0: blank */
};

/* A text of parts, each of which may be NULL. In little room code is cut first, then places lose
 * folders, and names their arguments. */
struct listing_text {
    const char *indent, *place, *name;
    const char *after;   /* of the place or the name, without a blank between */
    const char *code;    /* behind all others */
    const char *address; /* of the place, for a link */
};

void listing_begin(struct listing *l);
void listing_end(struct listing *l);

/* Writes the heads of the columns, and `text` as the head of the texts. */
void listing_head(const struct listing *l, const char *text);
void listing_head_parts(const struct listing *l, const struct listing_text *text);
/* Writes a row; without `counts` its cells are blank. `style` is one of style.h, or "". */
void listing_row(struct listing *l, const int64_t *counts, const char *mark, const char *text,
                 const char *style);

/* Writes a row with a text of parts. */
void listing_row_parts(struct listing *l, const int64_t *counts, const char *mark,
                       const struct listing_text *text, const char *style);

/* Writes a sum of other rows: counts that overlap are blank. */
void listing_partial_row(struct listing *l, const int64_t *counts, const char *mark,
                         const char *text, const char *style);

/* Leaves a row out, and adds its counts to the sum. */
void listing_leave_out(struct listing *l, const int64_t *counts);
/* Writes a row for those left out, if any: `indent`, their number, and the word for them, `what`
 * ("line"). With `gap` it writes a row in any case. */
void listing_left_out(struct listing *l, const char *what, const char *indent, bool gap);

/* True where counts stand out: their value reaches `least`, or, where that is 0, any count is not
 * 0. */
bool listing_stands_out(const struct listing *l, const struct column *measure, double least,
                        const int64_t *counts);

#endif
