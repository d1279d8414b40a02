/*
 * scale_table.h - growth as a table: which functions dominate beyond the largest size.
 */
#ifndef SCALE_SCALE_TABLE_H
#define SCALE_SCALE_TABLE_H

#include "base/counts.h"
#include "scale/check.h"
#include "scale/series.h"
#include "table/table.h"

#include <regex.h>

struct scale_table {
    const struct series *series;     /* of functions, or of own code */
    const struct scale_check *check; /* NULL: no run was held against what is foretold */
    bool all_sizes;                  /* the count at each size has a column */
    const char *root;                /* places are shown relative to this folder */
    const regex_t *filter;           /* functions that are shown; NULL: all */
    size_t limit;                    /* so many; 0: all */
};

/* Fills the table of functions; the subject must outlive it. Returns how many functions there are.
 */
size_t scale_table_fill(const struct scale_table *t, struct table *filled);
/* Fills the table of the run that was checked. */
void scale_check_fill(const struct scale_table *t, struct table *filled);

/* The function is in the table. */
bool scale_table_has(const struct scale_table *t, const struct series_item *item);

/* Sentences on all of it: sizes and totals; what limits the truth of the tables, or NULL. The
 * caller frees them. */
char *scale_totals_text(const struct series *series);
char *scale_limits_text(const struct series *series);

/* "12.3M", "1.53e54" of a count that is foretold. */
char *scale_count_text(char buffer[TEXT_NUMBER], long double count);

#endif
