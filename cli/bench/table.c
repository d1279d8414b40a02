#include <config.h>

#include "bench/table.h"

#include "base/memory.h"
#include "base/shell_word.h"
#include "base/strbuf.h"
#include "render/text/diff.h"
#include "render/text/grid.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 10 };

/* Facts about all rows, which choose the columns. */
struct facts {
    const char *measure; /* the first event */
    bool targets;        /* there are several */
    bool harnesses;      /* there are several */
    bool iterations;     /* some row has more than one */
    bool changes;        /* there is a baseline */
    bool caches;         /* misses are known */
    bool wholes;         /* some row is of a whole run */
    size_t n_whole, n_failed;
};

static struct facts facts_of(const struct bench_rows *rows)
{
    struct facts f = {.measure = rows->events.n_events ? rows->events.events[0].name : "Ir",
                      .changes = rows->old_columns != NULL,
                      .caches = columns_find(&rows->columns, "D1m") != NULL};

    for (size_t i = 0; i < rows->n; i++) {
        const struct bench_row *r = &rows->items[i], *first = &rows->items[0];

        f.targets |=
            strcmp(r->target, first->target) != 0 || strcmp(r->package, first->package) != 0;
        f.harnesses |= strcmp(r->harness, first->harness) != 0;
        f.iterations |= r->iterations > 1;
        f.wholes |= r->whole;
        f.n_whole += r->whole && !r->failed;
        f.n_failed += r->failed;
    }
    return f;
}

/*--- Order ---*/

struct order {
    const struct bench_rows *rows;
    const char *measure;
    enum bench_sort sort;
};

static int64_t value_of(const struct bench_rows *rows, const struct bench_row *row,
                        const char *column)
{
    const struct column *c = columns_find(&rows->columns, column);

    return c ? column_value(c, row->counts) : 0;
}

/* How much a row grew, relative to what it was. New ones come last. */
static double growth(const struct order *o, const struct bench_row *row)
{
    int64_t before, after;

    if (!bench_change(o->rows, row, o->measure, &before, &after))
        return row->old ? 0 : -1e300;
    return before ? (double)(after - before) / (double)before : after ? 1e299 : 0;
}

static int compare_rows(const void *a, const void *b, void *data)
{
    const struct order *o = data;
    const struct bench_row *x = *(const struct bench_row *const *)a;
    const struct bench_row *y = *(const struct bench_row *const *)b;
    bool by_counts = o->sort == SORT_COST || o->sort == SORT_CHANGE;
    int order = by_counts ? x->failed - y->failed : 0; /* their counts say nothing */

    if (order)
        return order;
    if (o->sort == SORT_NAME) {
        order = strcmp(x->name, y->name);
    } else if (o->sort == SORT_COST) {
        int64_t i = value_of(o->rows, x, o->measure), j = value_of(o->rows, y, o->measure);

        order = (j > i) - (j < i);
    } else if (o->sort == SORT_CHANGE) {
        double i = growth(o, x), j = growth(o, y);

        order = (j > i) - (j < i);
    }
    return order ? order : (x > y) - (x < y);
}

/* The rows in the order that is asked for; the caller frees the array. */
static const struct bench_row **sorted_rows(const struct bench_table *t, const char *measure)
{
    const struct bench_row **sorted = xcalloc(t->rows->n + 1, sizeof *sorted);
    struct order order = {t->rows, measure, t->sort};

    for (size_t i = 0; i < t->rows->n; i++)
        sorted[i] = &t->rows->items[i];
    if (t->rows->n)
        qsort_r(sorted, t->rows->n, sizeof *sorted, compare_rows, &order);
    return sorted;
}

/*--- Cells ---*/

static void put_change(struct grid *grid, const struct bench_table *t, const struct facts *f,
                       const struct bench_row *row)
{
    char percent[TEXT_NUMBER];
    int64_t before, after;

    if (!bench_change(t->rows, row, f->measure, &before, &after)) {
        grid_cell(grid, row->old ? "-" : "new", GRID_PLAIN);
        grid_cell(grid, "", GRID_PLAIN);
        return;
    }
    diff_percent_text(percent, before, after, text_is_utf8());
    grid_change(grid, after - before,
                after > before   ? GRID_MORE
                : after < before ? GRID_LESS
                                 : GRID_DIM);
    grid_cell(grid, after == before ? "" : percent, GRID_PLAIN);
}

static size_t choose_columns(const struct bench_table *t, const struct facts *f,
                             struct grid_column columns[COLUMNS_MAX])
{
    size_t n = 0;

    columns[n++] = (struct grid_column){f->iterations ? "Ir each" : "Ir", GRID_NUMBER, 0};
    if (f->iterations)
        columns[n++] = (struct grid_column){"Iterations", GRID_NUMBER, 1};
    if (f->caches) {
        columns[n++] = (struct grid_column){"D1 misses", GRID_NUMBER, 2};
        columns[n++] = (struct grid_column){"LL misses", GRID_NUMBER, 2};
    }
    if (t->cycles)
        columns[n++] = (struct grid_column){"Est. cycles", GRID_NUMBER, 0};
    if (f->changes) {
        columns[n++] = (struct grid_column){"Change", GRID_NUMBER, 0};
        columns[n++] = (struct grid_column){"%", GRID_NUMBER, 0};
    }
    columns[n++] = (struct grid_column){t->tests ? "Test" : "Benchmark", GRID_NAME, 0};
    if (f->targets)
        columns[n++] = (struct grid_column){"Target", GRID_NAME, 0};
    if (f->harnesses || f->wholes)
        columns[n++] = (struct grid_column){"Harness", GRID_NAME, 0};
    return n;
}

static void put_row(struct grid *grid, const struct bench_table *t, const struct facts *f,
                    const struct bench_row *row)
{
    char *name;

    grid_count(grid, value_of(t->rows, row, f->measure), GRID_PLAIN);
    if (f->iterations)
        grid_count(grid, row->iterations, GRID_PLAIN);
    if (f->caches) {
        grid_count(grid, value_of(t->rows, row, "D1m"), GRID_PLAIN);
        grid_count(grid, value_of(t->rows, row, "LLm"), GRID_PLAIN);
    }
    if (t->cycles)
        grid_count(grid, value_of(t->rows, row, "CEst"), GRID_PLAIN);
    if (f->changes)
        put_change(grid, t, f, row);
    name = xasprintf("%s%s", row->name, row->failed ? " (failed)" : "");
    grid_cell(grid, name, GRID_PLAIN);
    free(name);
    if (f->targets)
        grid_cell(grid, row->target, GRID_DIM);
    if (f->harnesses || f->wholes) {
        char *text = xasprintf("%s%s", row->harness, row->whole ? ", whole run" : "");

        grid_cell(grid, text, GRID_DIM);
        free(text);
    }
}

/*--- Lines ---*/

/* "  12,345 measured + 67,890 harness and set-up = 80,235 instructions in all". */
static void put_sums(const struct bench_table *t, FILE *out)
{
    int64_t measured = t->rows->measured[0], total = t->rows->totals[0];
    char *line = xasprintf("%s in the %s + %s in harness and set-up = %s instructions in all",
                           TEXT_COUNT(measured), t->tests ? "tests" : "benches",
                           TEXT_COUNT(total - measured), TEXT_COUNT(total));

    style_line(out, t->color, STYLE_DIM, line, t->width);
    free(line);
}

static void put_notes(const struct bench_table *t, const struct facts *f, FILE *out)
{
    char text[TEXT_NUMBER];

    if (f->n_whole) {
        char *line = xasprintf("%s of them as whole runs, with what starts and ends a program: %s",
                               text_count(text, (int64_t)f->n_whole),
                               t->tests ? "rustdoc makes one program of a package's doc tests"
                                        : "no loop of a harness that is known ran there");

        style_line(out, t->color, STYLE_DIM, line, t->width);
        free(line);
    }
    if (t->rows->threads[0]) {
        char *line =
            xasprintf("%s of the harness's on threads that %s have started%s",
                      text_count(text, t->rows->threads[0]), t->tests ? "tests" : "benches",
                      t->tests ? ": nobody knows whose they are; one that runs alone has its own"
                               : ", not only in what is measured");

        style_line(out, t->color, STYLE_DIM, line, t->width);
        free(line);
    }
    if (t->cycles)
        style_line(out, t->color, STYLE_DIM,
                   "est. cycles: Ir + 10 first-level misses + 100 last-level misses", t->width);
}

static bool has_grown(const struct bench_table *t, const struct facts *f)
{
    struct order order = {t->rows, f->measure, SORT_CHANGE};

    for (size_t i = 0; i < t->rows->n; i++)
        if (!t->rows->items[i].failed && growth(&order, &t->rows->items[i]) > 0)
            return true;
    return false;
}

/* The row to look into: what grew most, or, where nothing did, costs most. */
static const struct bench_row *row_to_show(const struct bench_table *t, const struct facts *f)
{
    struct bench_table other = *t;
    const struct bench_row **sorted, *best = NULL;

    other.sort = has_grown(t, f) ? SORT_CHANGE : SORT_COST;
    sorted = sorted_rows(&other, f->measure);
    for (size_t i = 0; i < t->rows->n && !best; i++)
        if (!sorted[i]->failed && sorted[i]->function && sorted[i]->run &&
            (!sorted[i]->whole || f->n_whole + f->n_failed == t->rows->n))
            best = sorted[i];
    free(sorted);
    return best;
}

static void put_next(const struct bench_table *t, const struct facts *f, FILE *out)
{
    const struct bench_row *row = row_to_show(t, f);
    char *function, *run, *line;

    if (!row)
        return;
    function = shell_word(row->function);
    run = shell_word(row->run);
    line = xasprintf("next: cargo cprof annotate %s %s", function, run);
    fputc('\n', out);
    style_line(out, t->color, STYLE_BOLD, line, 0);
    free(function);
    free(run);
    free(line);
}

static void put_heading(const struct bench_table *t, FILE *out)
{
    char *line = xasprintf("%s · %s %s%s", t->command_line, TEXT_COUNT(t->rows->n),
                           t->tests ? "test" : "benchmark", t->rows->n == 1 ? "" : "s");

    if (!t->utf8)
        for (char *at = line; (at = strstr(at, "·")) != NULL;)
            memmove(at + 1, at + 2, strlen(at + 2) + 1), *at = '-';
    style_line(out, t->color, STYLE_BOLD, line, t->width);
    fputc('\n', out);
    free(line);
}

void bench_table_write(const struct bench_table *t, FILE *out)
{
    struct facts f = facts_of(t->rows);
    const struct bench_row **sorted = sorted_rows(t, f.measure);
    struct grid_screen screen = {.width = t->width, .color = t->color, .utf8 = t->utf8};
    struct grid_column columns[COLUMNS_MAX];
    size_t n = t->limit && t->limit < t->rows->n ? t->limit : t->rows->n;
    struct grid grid;

    grid_init(&grid, columns, choose_columns(t, &f, columns));
    for (size_t i = 0; i < n; i++)
        put_row(&grid, t, &f, sorted[i]);
    if (t->markdown) {
        grid_write_markdown(&grid, out);
    } else {
        put_heading(t, out);
        grid_write(&grid, &screen, out);
        if (n < t->rows->n)
            fprintf(out, "%s of %s shown (-n 0 shows all)\n", TEXT_COUNT(n),
                    TEXT_COUNT(t->rows->n));
        if (t->rows->events.n_events) {
            put_sums(t, out);
            put_notes(t, &f, out);
            put_next(t, &f, out);
        }
    }
    grid_free(&grid);
    free(sorted);
}
