/*
 * curve_table.h - miss curves, for people and as Markdown: how large a last level would have to be.
 */
#ifndef TEXT_CURVE_TABLE_H
#define TEXT_CURVE_TABLE_H

#include "render/text/grid.h"
#include "table/curves.h"

/* The columns of functions and of data: figures as enum curve_figure has them, and texts. */
extern const struct grid_column curve_function_columns[], curve_data_columns[];
enum { CURVE_FUNCTION = CURVE_FIGURES, CURVE_FUNCTION_AT };
enum { CURVE_DATA = CURVE_FIGURES, CURVE_DATA_BY, CURVE_DATA_AT };

struct curve_view {
    const struct curves *curves;
    bool all_sizes;   /* not only some */
    bool brief;       /* without functions that have less than a hundredth of what falls */
    size_t limit;     /* functions; 0: all */
    const char *root; /* places are shown relative to this folder */
};

/* "An LL of 3 MiB holds the working set: ...". The caller frees it. */
char *curve_sentence(const struct curves *curves);
/* "1,000 misses of I1 and D1, 100 of them first uses...". The caller frees it. */
char *curve_totals_text(const struct curves *curves);
/* "The LL that was simulated ...: first uses, capacity, conflict". NULL: its misses, or the curve
 * at its size, are not known. The caller frees it. */
char *curve_simulated_text(const struct curves *curves);

/* Writes all; as Markdown where `screen` is NULL. */
void curve_view_write(const struct curve_view *view, const struct grid_screen *screen, FILE *out);

#endif
