#include <config.h>

#include "scale/check.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Rounding of the computation. */
#define ROUNDING 1e-9L

static void add_row(struct scale_check *check, const struct series *s, const json_t *row)
{
    const struct series_item *item = series_find(s, row);
    int64_t real = series_row_value(s, row, s->measure);

    if (!item || item->is_small) {
        count_add(&check->elsewhere, real);
        return;
    }
    check->rows[check->n++] = (struct scale_check_row){
        item, series_foretell(s, item, s->measure, &item->fit, check->size), real};
}

static void add_foretold(struct scale_check *check, const struct foretold *more)
{
    if (isnan(more->count))
        return;
    check->program.foretold.count += more->count;
    check->program.foretold.range.low += more->range.low;
    check->program.foretold.range.high += more->range.high;
}

static int compare_rows(const void *a, const void *b)
{
    const struct scale_check_row *x = a, *y = b;

    return (x->real < y->real) - (x->real > y->real);
}

/* The program is the sum of what is foretold of its functions; of inclusive counts there is none,
 * and it has the count of its main path. */
void scale_check_load(struct scale_check *check, const struct series *s, int64_t size,
                      const json_t *result)
{
    const json_t *rows = json_object_get(result, s->list), *row;
    size_t i;

    *check = (struct scale_check){.size = size, .program.foretold.share = NAN};
    check->rows = xcalloc(json_array_size(rows) + 1, sizeof *check->rows);
    json_array_foreach(rows, i, row) add_row(check, s, row);
    for (i = 0; i < check->n; i++)
        add_foretold(check, &check->rows[i].foretold);
    if (s->others.counts) {
        struct foretold others = series_foretell(s, &s->others, s->measure, &s->others.fit, size);

        add_foretold(check, &others);
    }
    for (i = 0; i < check->n; i++)
        count_add(&check->program.real, check->rows[i].real);
    count_add(&check->program.real, check->elsewhere);
    sort_items(check->rows, check->n, sizeof *check->rows, compare_rows);
}

void scale_check_free(struct scale_check *check)
{
    free(check->rows);
    *check = (struct scale_check){.n = 0};
}

double scale_check_error(const struct scale_check_row *row)
{
    if (!row->real || isnan(row->foretold.count))
        return NAN;
    return (double)(100 * (row->foretold.count - (long double)row->real) / (long double)row->real);
}

bool scale_check_holds(const struct scale_check_row *row)
{
    long double real = (long double)row->real;

    return row->foretold.range.low <= real * (1 + ROUNDING) &&
           row->foretold.range.high >= real * (1 - ROUNDING);
}
