/*
 * time_numbers.h - the columns of exact counts beside samples, in the order of tables.
 */
#ifndef TEXT_TIME_NUMBERS_H
#define TEXT_TIME_NUMBERS_H

#include "diff/time_rows.h"

enum time_number {
    TIME_SHARE,
    TIME_INSTRUCTIONS,
    TIME_EXTRA,
    TIME_FACTOR,
    TIME_EACH,
    TIME_D1_RATE,
    TIME_LL_RATE,
    TIME_BRANCH_RATE,
    TIME_KERNEL,
    TIME_NUMBERS
};

/* False where the table has no such column: events that were not counted; the kernel's samples but
 * for own code. */
bool time_has_number(const struct time_table *table, enum time_number number);
/* "Time %". */
const char *time_number_head(const struct time_table *table, enum time_number number);
/* The number as it is sorted by: of what is not known less than any other, of differences that may
 * be chance 0. */
double time_number(const struct time_table *table, const struct time_row *row,
                   enum time_number number);
/* Its text: "-" for what is not known, and "noise". The caller frees it. */
char *time_number_text(const struct time_table *table, const struct time_row *row,
                       enum time_number number);

/* Misses in 1,000 instructions. */
double time_rate(const struct time_row *row, enum time_event event);

#endif
