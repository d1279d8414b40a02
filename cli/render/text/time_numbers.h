/*
 * time_numbers.h - the columns of exact counts beside samples, in the order of tables.
 */
#ifndef TEXT_TIME_NUMBERS_H
#define TEXT_TIME_NUMBERS_H

#include "diff/time_rows.h"
#include "table/table.h"

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
/* TABLE_SHARE, or TABLE_RATIO: what happens in each instruction. */
enum table_kind time_number_kind(enum time_number number);
/* "-" is what is not known, less than any other number; "noise", which counts as 0, a difference
 * that may be chance. */
struct cell time_number_cell(const struct time_table *table, const struct time_row *row,
                             enum time_number number);

/* Misses in 1,000 instructions. */
double time_rate(const struct time_row *row, enum time_event event);

#endif
