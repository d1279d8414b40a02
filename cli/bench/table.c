#include <config.h>

#include "bench/table.h"

#include "base/memory.h"
#include "base/words.h"
#include "render/text/diff.h"
#include "render/text/environment_table.h"
#include "render/text/style.h"
#include "render/text/table_text.h"

#include <stdlib.h>
#include <string.h>

/* Facts about all rows, which choose the columns. */
struct facts {
    const char *measure; /* the first event */
    bool targets;        /* there are several */
    bool harnesses;      /* there are several */
    bool iterations;     /* some row has more than one */
    bool changes;        /* there is a baseline */
    bool caches;         /* misses are known */
    bool wholes;         /* some row is of a whole run */
    size_t n_orders;     /* of threads, in which some row varies; 0: none does */
    size_t n_whole, n_failed;
};

static struct facts facts_of(const struct bench_rows *rows)
{
    struct facts f = {.measure = rows->events.n ? rows->events.items[0].name : "Ir",
                      .changes = rows->old_columns != NULL,
                      .caches = columns_find(&rows->columns, "D1m") != NULL};

    for (size_t i = 0; i < rows->n; i++) {
        const struct bench_row *r = &rows->items[i], *first = &rows->items[0];
        struct gate_count band;

        f.targets |=
            strcmp(r->target, first->target) != 0 || strcmp(r->package, first->package) != 0;
        f.harnesses |= strcmp(r->harness, first->harness) != 0;
        f.iterations |= r->iterations > 1;
        f.wholes |= r->whole;
        if (r->n_orders > f.n_orders && bench_band(rows, r, f.measure, &band))
            f.n_orders = r->n_orders;
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

/*--- Columns ---*/

enum column_id {
    COST,
    LEAST,
    MOST,
    ITERATIONS,
    D1,
    LL,
    CYCLES,
    CHANGE,
    PERCENT,
    NAME,
    TARGET,
    HARNESS
};

/* The subject of the columns. */
struct subject {
    const struct bench_table *table;
    const struct facts *facts;
};

static struct cell change_cell(const struct subject *s, const struct bench_row *row,
                               enum diff_part part)
{
    int64_t before, after;
    struct cell cell;

    if (!bench_change(s->table->rows, row, s->facts->measure, &before, &after))
        return part == DIFF_PART_PERCENT ? cell_blank() : cell_text(row->old ? "-" : "new");
    if (part == DIFF_PART_PERCENT)
        return after == before ? cell_blank()
                               : cell_styled(diff_cell(part, before, after, false), CELL_PLAIN);
    cell = cell_change(after - before);
    return cell_styled(cell, after > before ? CELL_MORE : after < before ? CELL_LESS : CELL_DIM);
}

static struct cell band_cell(const struct subject *s, const struct bench_row *row, bool most)
{
    struct gate_count band;

    if (!bench_band(s->table->rows, row, s->facts->measure, &band))
        return cell_blank();
    return cell_styled(cell_count(most ? band.most : band.least), CELL_DIM);
}

static struct cell cell_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct subject *s = subject;
    const struct bench_row *row = item;

    switch ((enum column_id)c->id) {
    case LEAST:
    case MOST:
        return band_cell(s, row, c->id == MOST);
    case ITERATIONS:
        return cell_count(row->iterations);
    case CHANGE:
        return change_cell(s, row, DIFF_PART_CHANGE);
    case PERCENT:
        return change_cell(s, row, DIFF_PART_PERCENT);
    case NAME:
        return cell_take(xasprintf("%s%s", row->name, row->failed ? " (failed)" : ""));
    case TARGET:
        return cell_styled(cell_text(row->target), CELL_DIM);
    case HARNESS:
        return cell_styled(
            cell_take(xasprintf("%s%s", row->harness, row->whole ? ", whole run" : "")), CELL_DIM);
    default:
        return cell_count(value_of(s->table->rows, row, c->shows));
    }
}

/* Adds a column of a count, by the name of its event. */
static void add_count(struct table *table, enum column_id id, const char *heading, unsigned spare,
                      const char *event)
{
    table_column(table, &(struct table_column){heading, TABLE_COUNT, .spare = spare,
                                               .cell = cell_of, .id = (int)id, .shows = event});
}

static void add_text(struct table *table, enum column_id id, const char *heading)
{
    table_column(table,
                 &(struct table_column){heading, TABLE_NAME, .cell = cell_of, .id = (int)id});
}

static void add_columns(struct table *table, const struct bench_table *t, const struct facts *f)
{
    add_count(table, COST, f->iterations ? "Ir each" : "Ir", 0, f->measure);
    if (f->n_orders) {
        add_count(table, LEAST, "Least", 1, NULL);
        add_count(table, MOST, "Most", 1, NULL);
    }
    if (f->iterations)
        add_count(table, ITERATIONS, "Iterations", 1, NULL);
    if (f->caches) {
        add_count(table, D1, "D1 misses", 2, "D1m");
        add_count(table, LL, "LL misses", 2, "LLm");
    }
    if (t->cycles)
        add_count(table, CYCLES, "Est. cycles", 0, "CEst");
    if (f->changes) {
        add_count(table, CHANGE, "Change", 0, NULL);
        table_column(table,
                     &(struct table_column){"%", TABLE_SHARE, .cell = cell_of, .id = PERCENT});
    }
    add_text(table, NAME, t->tests ? "Test" : "Benchmark");
    if (f->targets)
        add_text(table, TARGET, "Target");
    if (f->harnesses || f->wholes)
        add_text(table, HARNESS, "Harness");
}

/*--- Lines ---*/

/* "  12,345 measured + 67,890 harness and set-up = 80,235 instructions in all". */
static void put_sums(const struct bench_table *t, FILE *out)
{
    int64_t measured = t->rows->measured[0], total = t->rows->totals[0];
    char *line = xasprintf("%s in the %s + %s in harness and set-up = %s instructions in all",
                           TEXT_COUNT(measured), t->tests ? "tests" : "benches",
                           TEXT_COUNT(total - measured), TEXT_COUNT(total));

    table_line(line, STYLE_DIM, "", &t->screen, out);
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

        table_line(line, STYLE_DIM, "", &t->screen, out);
        free(line);
    }
    if (f->n_orders) {
        char *line = xasprintf("least and most of %s in %zu orders of threads, where they differ",
                               f->measure, f->n_orders);

        table_line(line, STYLE_DIM, "", &t->screen, out);
        free(line);
    }
    if (t->rows->threads[0]) {
        char *line =
            xasprintf("%s of the harness's on threads that %s have started%s",
                      text_count(text, t->rows->threads[0]), t->tests ? "tests" : "benches",
                      t->tests ? ": nobody knows whose they are; one that runs alone has its own"
                               : ", not only in what is measured");

        table_line(line, STYLE_DIM, "", &t->screen, out);
        free(line);
    }
    if (t->cycles)
        table_line("est. cycles: Ir + 10 first-level misses + 100 last-level misses", STYLE_DIM, "",
                   &t->screen, out);
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
    style_line(out, t->screen.color, STYLE_BOLD, line, 0);
    free(function);
    free(run);
    free(line);
}

static void put_heading(const struct bench_table *t, FILE *out)
{
    char *line = xasprintf("%s · %s %s%s", t->command_line, TEXT_COUNT(t->rows->n),
                           t->tests ? "test" : "benchmark", t->rows->n == 1 ? "" : "s");

    if (!text_is_utf8())
        for (char *at = line; (at = strstr(at, "·")) != NULL;)
            memmove(at + 1, at + 2, strlen(at + 2) + 1), *at = '-';
    table_line(line, STYLE_BOLD, "", &t->screen, out);
    fputc('\n', out);
    free(line);
}

void bench_table_write(const struct bench_table *t, FILE *out)
{
    struct facts f = facts_of(t->rows);
    const struct bench_row **sorted = sorted_rows(t, f.measure);
    size_t n = t->limit && t->limit < t->rows->n ? t->limit : t->rows->n;
    struct table table;

    table_begin(&table, &(struct subject){t, &f});
    add_columns(&table, t, &f);
    for (size_t i = 0; i < n; i++)
        table_put(&table, sorted[i], CELL_PLAIN);
    if (t->markdown)
        environment_write(t->environment, out);
    else
        put_heading(t, out);
    table_rows_write(&table, t->markdown ? NULL : &t->screen, out);
    if (!t->markdown && n < t->rows->n)
        fprintf(out, "%s of %s shown (-n 0 shows all)\n", TEXT_COUNT(n), TEXT_COUNT(t->rows->n));
    if (!t->markdown && t->rows->events.n) {
        put_sums(t, out);
        put_notes(t, &f, out);
    }
    bench_whys_write(t->whys, t->markdown ? NULL : &t->screen, out);
    if (!t->markdown && t->rows->events.n)
        put_next(t, &f, out);
    table_free(&table);
    free(sorted);
}
