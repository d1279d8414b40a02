/*
 * curve_table.h - miss curves, for people and as Markdown: how large a last level would have to be.
 */
#ifndef TEXT_CURVE_TABLE_H
#define TEXT_CURVE_TABLE_H

#include "render/text/table_text.h"
#include "table/curves.h"
#include "table/table.h"

/* Columns of functions and of data: what falls of the program's, and from the smallest size to the
 * largest; first uses; misses of the LL that was simulated; the working set; texts. Rows are struct
 * curve. */
enum curve_column {
    CURVE_SHARE,
    CURVE_FALLS,
    CURVE_FIRST,
    CURVE_SIMULATED,
    CURVE_NEEDS,
    CURVE_NUMBERS,
    CURVE_KIND = CURVE_NUMBERS, /* of data */
    CURVE_NAME,
    CURVE_AT,
    CURVE_COLUMNS
};
extern const struct table_column curve_function_columns[CURVE_COLUMNS - 1],
    curve_data_columns[CURVE_COLUMNS];

/* The subject of these columns. */
struct curve_view {
    const struct curves *curves;
    bool all_sizes;   /* not only some */
    bool brief;       /* without functions that have less than a hundredth of what falls */
    size_t limit;     /* functions; 0: all */
    const char *root; /* places are shown relative to this folder */
};

/* The line that a curve's data comes from, or where its function begins. */
struct code_spot curve_spot(const struct curves *curves, const struct curve *curve);

/* "An LL of 3 MiB holds the working set: ...". The caller frees it. */
char *curve_sentence(const struct curves *curves);
/* "1,000 misses of I1 and D1, 100 of them first uses...". The caller frees it. */
char *curve_totals_text(const struct curves *curves);
/* "The LL that was simulated ...: first uses, capacity, conflict". NULL: its misses, or the curve
 * at its size, are not known. The caller frees it. */
char *curve_simulated_text(const struct curves *curves);

/* Fills the table of the program's misses by size, which the caller frees. */
void curve_sizes_fill(const struct curve_view *view, struct table *filled);
/* Writes all; as Markdown where `screen` is NULL. */
void curve_view_write(const struct curve_view *view, const struct text_screen *screen, FILE *out);

#endif
