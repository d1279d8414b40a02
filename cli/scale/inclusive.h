/*
 * inclusive.h - inclusive counts as sums of own ones.
 *
 * An inclusive count has growths of many kinds in it, and one model follows the sum less well than
 * each follows its own. So it is foretold as the sum of what is foretold of the functions below it:
 * of each the part that ran below it at the largest size. The rest, of functions that cost little
 * and of parts that change, is fitted for itself. Where that is much, the count is fitted as it is.
 */
#ifndef SCALE_INCLUSIVE_H
#define SCALE_INCLUSIVE_H

#include "scale/series.h"
#include "table/rows.h"

/* Finds what costly functions cost below each row that is costly with them: an array by row of
 * [row, count, row, count, ...] or null, for the caller to decref. The profile has call paths;
 * `column` is an inclusive one. */
json_t *inclusive_parts(const struct rows *rows, const struct columns *columns,
                        const struct column *column);

/* The sum of a function. */
struct inclusive_sum;

/* Sets the sums of the items of functions, by the result of the largest size, whose rows have
 * "parts" by inclusive_parts(). The measure is inclusive. */
void inclusive_load(struct series *series, const json_t *result);
/* The count that is foretold of a sum at a size; no share. */
struct foretold inclusive_foretell(const struct inclusive_sum *sum, int64_t size);
/* Frees the sums that inclusive_load() has set. */
void inclusive_free(struct series *series);

#endif
