#include <config.h>

#include "table/line_rows.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    return code_spot_compare(&((const struct line_row *)a)->spot,
                             &((const struct line_row *)b)->spot);
}

static int by_waste(const void *a, const void *b)
{
    const struct line_row *x = a, *y = b;

    COMPARE(line_use_wasted(&y->use), line_use_wasted(&x->use));
    COMPARE(y->use.lines, x->use.lines);
    return by_place(a, b);
}

/* A row for each line of code that fetches. Returns how many there are. */
static size_t list_lines(struct line_row *rows, const struct data_table *data)
{
    size_t n = 0;

    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < data->rows[i].n; k++) {
            const struct data_touch *t = &data->rows[i].touches[k];

            rows[n++] = (struct line_row){t->spot, t->use};
        }
    return n;
}

/* Makes rows of one line of code one. Returns how many are left. */
static size_t unite_lines(struct line_row *rows, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (kept && !by_place(&rows[kept - 1], &rows[i]))
            line_use_add(&rows[kept - 1].use, &rows[i].use);
        else
            rows[kept++] = rows[i];
    return kept;
}

/* Makes rows of one function one, with the line that wastes most. Returns how many are left. */
static size_t unite_functions(struct line_row *rows, size_t n)
{
    size_t kept = 0, end;

    for (size_t i = 0; i < n; i = end) {
        struct line_row row = rows[i], most = rows[i];

        for (end = i + 1; end < n && rows[end].spot.function == row.spot.function; end++) {
            line_use_add(&row.use, &rows[end].use);
            if (by_waste(&rows[end], &most) < 0)
                most = rows[end];
        }
        row.spot = most.spot;
        rows[kept++] = row;
    }
    return kept;
}

void line_table_load(struct line_table *t, const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    struct data_table data;

    data_table_load(&data, callers, DATA_D1);
    *t = (struct line_table){.profile = p, .use = data.use};
    t->rows = xcalloc(p->n_touches + (size_t)1, sizeof *t->rows);
    t->n = list_lines(t->rows, &data);
    data_table_free(&data);
    sort_items(t->rows, t->n, sizeof *t->rows, by_place);
    t->n = unite_lines(t->rows, t->n);
    t->n = unite_functions(t->rows, t->n);
    sort_items(t->rows, t->n, sizeof *t->rows, by_waste);
    t->n_shown = t->n;
}

static bool is_left(const void *item, const void *filter)
{
    return name_filter_finds(filter, ((const struct line_row *)item)->spot.function);
}

void line_table_filter(struct line_table *t, const regex_t *filter)
{
    t->n_shown = array_partition(t->rows, t->n, sizeof *t->rows, is_left,
                                 &(struct name_filter){t->profile, filter});
}

void line_table_free(struct line_table *t)
{
    free(t->rows);
}
