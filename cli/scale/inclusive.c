#include <config.h>

#include "scale/inclusive.h"

#include "base/counts.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- Parts of rows ---*/

/* Parts of the program: functions that cost less are in the rest of all sums, and those whose
 * inclusive counts are less have no sum. */
#define PART_LEAST  0.0005
#define WHOLE_LEAST 0.005

/* Rows of one kind, with numbers of their own from 1 on. */
struct numbers {
    uint32_t n;
    uint32_t *of_row; /* 0: it is not one of them */
};

static struct numbers number_rows(const struct rows *rows, const struct column *column,
                                  int64_t total, double least)
{
    struct numbers numbers = {0, xcalloc(rows->n + 1, sizeof *numbers.of_row)};

    for (size_t i = 0; i < rows->n; i++)
        if ((double)column_value(column, rows->items[i].counts) >= least * (double)total)
            numbers.of_row[i] = ++numbers.n;
    return numbers;
}

struct matrix {
    const struct rows *rows;
    const struct column *own;
    uint32_t *row_of_function;
    struct numbers wholes, parts;
    uint32_t *seen;  /* by whole: the context, from 1 on, that was last added to it */
    int64_t *counts; /* by whole, then by part */
};

static int64_t cost_of(const struct matrix *m, const struct cprof_context *context)
{
    int64_t cost = 0;

    for (uint32_t i = 0; i < context->n_costs; i++)
        count_add(&cost, column_value(m->own, cprof_context_values(m->rows->profile,
                                                                   context->first_cost + i)));
    return cost;
}

static uint32_t number_of(const struct matrix *m, const struct numbers *numbers, uint32_t context)
{
    uint32_t row = m->row_of_function[m->rows->profile->contexts[context].function];

    return row == CPROF_NONE ? 0 : numbers->of_row[row];
}

/* Adds what a context costs to all functions above it, and to its own. */
static void add_context(struct matrix *m, uint32_t context)
{
    const struct cprof_context *contexts = m->rows->profile->contexts;
    int64_t cost = cost_of(m, &contexts[context]);
    uint32_t part = number_of(m, &m->parts, context);

    for (uint32_t i = context; cost && part && i != CPROF_NONE; i = contexts[i].parent) {
        uint32_t whole = number_of(m, &m->wholes, i);

        if (!whole || m->seen[whole - 1] == context + 1)
            continue;
        m->seen[whole - 1] = context + 1;
        count_add(&m->counts[(size_t)(whole - 1) * m->parts.n + part - 1], cost);
    }
}

static json_t *row_parts(const struct matrix *m, size_t row)
{
    uint32_t whole = m->wholes.of_row[row];
    json_t *array = whole ? json_array() : json_null();

    for (size_t i = 0; i < m->rows->n && whole; i++) {
        uint32_t part = m->parts.of_row[i];
        int64_t count = part ? m->counts[(size_t)(whole - 1) * m->parts.n + part - 1] : 0;

        if (!count)
            continue;
        json_array_append_new(array, json_integer((json_int_t)i));
        json_array_append_new(array, json_integer(count));
    }
    return array;
}

json_t *inclusive_parts(const struct rows *rows, const struct columns *columns,
                        const struct column *column)
{
    const struct column *own = &columns->items[column->self];
    int64_t total = column_value(own, rows->totals);
    struct matrix m = {.rows = rows,
                       .own = own,
                       .row_of_function = rows_of_functions(rows),
                       .wholes = number_rows(rows, column, total, WHOLE_LEAST),
                       .parts = number_rows(rows, own, total, PART_LEAST)};
    json_t *array = json_array();

    m.seen = xcalloc(m.wholes.n + (size_t)1, sizeof *m.seen);
    m.counts = xcalloc((size_t)m.wholes.n * m.parts.n + 1, sizeof *m.counts);
    for (uint32_t i = 0; i < rows->profile->n_contexts; i++)
        add_context(&m, i);
    for (size_t i = 0; i < rows->n; i++)
        json_array_append_new(array, row_parts(&m, i));
    free(m.counts);
    free(m.seen);
    free(m.parts.of_row);
    free(m.wholes.of_row);
    free(m.row_of_function);
    return array;
}

/*--- Sums of series ---*/

/* A rest that is more of the count at some size says that the parts are not what it is made of. */
#define REST_MOST   0.2
/* A rest that is fitted by nothing grows as n, and has to be less than this. */
#define REST_LINEAR 0.01

struct part {
    size_t item; /* in the costs */
    long double share;
};

struct inclusive_sum {
    const struct series *series;
    size_t n;
    struct part *parts;
    int64_t rest[GROWTH_SIZES_MOST]; /* by size */
    struct growth rest_fit;
};

/* Own costs of all items, in their first order, with their fits. */
struct inclusive_sums {
    size_t n;
    struct series_item *costs;
    struct inclusive_sum *items; /* room for all items */
};

static const struct column *own_column(const struct series *s)
{
    return &s->columns.items[s->measure->self];
}

static int64_t own_at(const struct series *s, size_t item, size_t size)
{
    return series_value(s, &s->sums->costs[item], own_column(s), size);
}

/* The item of each row of a result; SIZE_MAX: none. The caller frees it. */
static size_t *items_of_rows(const struct series *s, const json_t *rows)
{
    size_t *items = xcalloc(json_array_size(rows) + 1, sizeof *items), i;
    const json_t *row;

    json_array_foreach(rows, i, row)
    {
        const struct series_item *item = series_find(s, row);

        items[i] = item ? (size_t)(item - s->items) : SIZE_MAX;
    }
    return items;
}

/* Adds the parts of which something is foretold; others are in the rest. */
static void add_parts(struct inclusive_sum *sum, const json_t *list, const size_t *items)
{
    const struct series *s = sum->series;

    sum->parts = xcalloc(json_array_size(list) / 2 + 1, sizeof *sum->parts);
    for (size_t i = 0; i + 1 < json_array_size(list); i += 2) {
        size_t item = items[json_integer_value(json_array_get(list, i))];
        int64_t own = item == SIZE_MAX ? 0 : own_at(s, item, s->sizes.n - 1);

        if (own > 0 && s->sums->costs[item].fit.kind != GROWTH_NONE)
            sum->parts[sum->n++] =
                (struct part){item, (long double)json_integer_value(json_array_get(list, i + 1)) /
                                        (long double)own};
    }
}

/* Finds the rest at each size. Returns the greatest part of the count that it is. */
static double find_rest(struct inclusive_sum *sum, const struct series_item *item)
{
    const struct series *s = sum->series;
    double most = 0;

    for (size_t size = 0; size < s->sizes.n; size++) {
        int64_t count = series_value(s, item, s->measure, size);
        long double rest = (long double)count;

        for (size_t i = 0; i < sum->n; i++)
            rest -= sum->parts[i].share * (long double)own_at(s, sum->parts[i].item, size);
        sum->rest[size] = rest > 0 ? (int64_t)llroundl(rest) : 0;
        most = fmax(most, (double)fabsl(rest) / (double)(count > 1 ? count : 1));
    }
    return most;
}

static struct growth_points rest_points(const struct inclusive_sum *sum)
{
    const struct sizes *sizes = &sum->series->sizes;

    return (struct growth_points){.n = sizes->n, .sizes = sizes->items, .counts = sum->rest};
}

static struct foretold foretell_rest(const struct inclusive_sum *sum, int64_t size)
{
    const struct sizes *sizes = &sum->series->sizes;
    struct growth_points points = rest_points(sum);
    long double linear = (long double)sum->rest[sizes->n - 1] * (long double)size /
                         (long double)sizes->items[sizes->n - 1];

    if (sum->rest_fit.kind == GROWTH_NONE)
        return (struct foretold){.count = linear, .range = {0, 10 * linear}, .share = NAN};
    return (struct foretold){.count = fmaxl(0, growth_at(&sum->rest_fit, (long double)size)),
                             .range = growth_range_at(&sum->rest_fit, &points, (long double)size),
                             .share = NAN};
}

struct foretold inclusive_foretell(const struct inclusive_sum *sum, int64_t size)
{
    const struct series *s = sum->series;
    struct foretold all = foretell_rest(sum, size);

    for (size_t i = 0; i < sum->n; i++) {
        const struct series_item *cost = &s->sums->costs[sum->parts[i].item];
        struct foretold part = series_foretell(s, cost, own_column(s), &cost->fit, size);

        all.count += sum->parts[i].share * part.count;
        all.range.low += sum->parts[i].share * part.range.low;
        all.range.high += sum->parts[i].share * part.range.high;
    }
    return all;
}

/* The fit of the part that is foretold to be most. */
static const struct growth *greatest(const struct inclusive_sum *sum, int64_t size)
{
    const struct series *s = sum->series;
    const struct growth *fit = &sum->rest_fit;
    long double most = foretell_rest(sum, size).count;

    for (size_t i = 0; i < sum->n; i++) {
        const struct series_item *cost = &s->sums->costs[sum->parts[i].item];
        long double count = sum->parts[i].share * growth_at(&cost->fit, (long double)size);

        if (count > most) {
            most = count;
            fit = &cost->fit;
        }
    }
    return fit;
}

/* A sum has the growth of its greatest part, and its residual, but the slope of its counts. */
static void take_sum(struct series_item *item, const struct inclusive_sum *sum)
{
    const struct sizes *sizes = &sum->series->sizes;
    struct growth fit = *greatest(sum, sizes->items[sizes->n - 1] * series_times[SERIES_AHEAD - 1]);

    fit.slope = item->fit.slope;
    fit.exact = false;
    fit.sum = true;
    item->fit = fit;
    item->sum = sum;
}

static bool is_known(struct inclusive_sum *sum, double rest)
{
    struct growth_points points = rest_points(sum);

    growth_find(&sum->rest_fit, &points);
    return sum->n > 1 && rest <= (sum->rest_fit.kind == GROWTH_NONE ? REST_LINEAR : REST_MOST);
}

static void load_item(struct series *s, struct series_item *item, const json_t *list,
                      const size_t *items)
{
    struct inclusive_sum *sum = &s->sums->items[s->sums->n++];
    double rest;

    sum->series = s;
    add_parts(sum, list, items);
    rest = find_rest(sum, item);
    if (is_known(sum, rest) && !item->fit.exact)
        take_sum(item, sum);
}

void inclusive_load(struct series *s, const json_t *result)
{
    const json_t *rows = json_object_get(result, s->list), *row;
    size_t *items = items_of_rows(s, rows), i;
    const struct column *own = own_column(s);

    s->sums = xcalloc(1, sizeof *s->sums);
    s->sums->costs = xcalloc(s->n + 1, sizeof *s->sums->costs);
    s->sums->items = xcalloc(s->n + 1, sizeof *s->sums->items);
    memcpy(s->sums->costs, s->items, s->n * sizeof *s->items);
    for (i = 0; i < s->n; i++)
        series_grow(s, &s->items[i], own, &s->sums->costs[i].fit);
    json_array_foreach(rows, i, row)
    {
        const json_t *list = json_object_get(row, "parts");

        if (json_array_size(list) && items[i] != SIZE_MAX)
            load_item(s, &s->items[items[i]], list, items);
    }
    free(items);
}

void inclusive_free(struct series *s)
{
    for (size_t i = 0; s->sums && i < s->sums->n; i++)
        free(s->sums->items[i].parts);
    if (s->sums) {
        free(s->sums->items);
        free(s->sums->costs);
    }
    free(s->sums);
    s->sums = NULL;
}
