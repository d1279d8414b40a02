#include <config.h>

#include "render/text/argument_table.h"

#include "base/clean.h"
#include "base/count.h"
#include "base/memory.h"
#include "render/text/markdown.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <inttypes.h>
#include <stdlib.h>

char *argument_title(const struct argument_table *t)
{
    char *pattern = text_local(t->arg->pattern);
    char *title = xasprintf("Argument %u of %s: %s call%s", (unsigned)t->arg->number, pattern,
                            TEXT_COUNT(t->calls), t->calls == 1 ? "" : "s");

    free(pattern);
    return title;
}

static char *number_text(uint64_t n)
{
    return n <= INT64_MAX ? xstrdup(TEXT_COUNT(n)) : xasprintf("%" PRIu64, n);
}

enum { POWER_LEAST = 20 };

/* "24", of a class "16 to 31" or "2^20 to 2^21-1". The caller frees it. */
static char *value_text(const struct argument_table *t, const struct argument_row *row)
{
    uint64_t greatest = argument_last(t, row);
    char *first, *last, *text;

    if (row->other)
        return xstrdup("others");
    if (t->arg->log2 && row->value >> POWER_LEAST) {
        int power = 63 - __builtin_clzll(row->value);

        return xasprintf("2^%d to 2^%d-1", power, power + 1);
    }
    first = number_text(row->value);
    if (greatest == row->value)
        return first;
    last = number_text(greatest);
    text = xasprintf("%s to %s", first, last);
    free(first);
    free(last);
    return text;
}

static void put_function(struct grid *grid, const struct cprof_profile *p, uint32_t function)
{
    grid_cell(grid, function == CPROF_NONE ? "" : p->functions[function].name, GRID_PLAIN);
}

enum { COLUMNS_MOST = 6 };

static const char recursion_text[] = "Calls by recursion count for the caller that began it.";

static size_t make_columns(struct grid_column *columns, const struct argument_table *t)
{
    size_t n = 0;

    columns[n++] = (struct grid_column){"Calls", GRID_NUMBER, 0};
    columns[n++] = (struct grid_column){"%", GRID_NUMBER, 0};
    columns[n++] = (struct grid_column){"Value", GRID_NUMBER, 0};
    if (t->several)
        columns[n++] = (struct grid_column){"Function", GRID_NAME, 0};
    columns[n++] = (struct grid_column){"Caller", GRID_NAME, 0};
    if (t->own)
        columns[n++] = (struct grid_column){"Own code", GRID_NAME, 0};
    return n;
}

static void put_row(struct grid *grid, const struct argument_table *t,
                    const struct cprof_profile *p, const struct argument_row *row)
{
    char text[TEXT_NUMBER], *value = value_text(t, row);

    grid_count(grid, (int64_t)row->calls, GRID_PLAIN);
    grid_cell(grid, text_percent(text, (int64_t)row->calls, (int64_t)t->calls, 1), GRID_PLAIN);
    grid_cell(grid, value, GRID_PLAIN);
    free(value);
    if (t->several)
        put_function(grid, p, row->function);
    put_function(grid, p, row->caller);
    if (t->own)
        put_function(grid, p, row->own);
}

/* Fills a grid, which the caller frees, with the first rows. Returns how many. `columns` has room
 * for COLUMNS_MOST, and must outlive it. */
static size_t fill(struct grid *grid, struct grid_column *columns, const struct argument_table *t,
                   const struct cprof_profile *p, size_t limit)
{
    size_t n = limit < t->n ? limit : t->n;

    grid_init(grid, columns, make_columns(columns, t));
    for (size_t i = 0; i < n; i++)
        put_row(grid, t, p, &t->rows[i]);
    return n;
}

/* "and 3 more rows, of 12 calls"; NULL: all are shown. The caller frees it. */
static char *rest_text(const struct argument_table *t, size_t shown)
{
    uint64_t calls = 0;

    for (size_t i = shown; i < t->n; i++)
        calls += t->rows[i].calls;
    if (shown == t->n)
        return NULL;
    return xasprintf("and %s more row%s, of %s call%s", TEXT_COUNT(t->n - shown),
                     t->n - shown == 1 ? "" : "s", TEXT_COUNT(calls), calls == 1 ? "" : "s");
}

void argument_table_write(const struct argument_table *t, const struct cprof_profile *p,
                          size_t limit, const struct grid_screen *screen, FILE *out)
{
    struct grid_column columns[COLUMNS_MOST];
    struct grid grid;
    char *title = argument_title(t), *rest = rest_text(t, fill(&grid, columns, t, p, limit));

    style_line(out, screen->color, STYLE_BOLD, title, 0);
    if (t->n) {
        fputc('\n', out);
        grid_write(&grid, screen, out);
    }
    if (rest)
        fprintf(out, "%s\n", rest);
    if (t->recursive)
        fprintf(out, "%s\n", recursion_text);
    grid_free(&grid);
    free(title);
    free(rest);
}

void argument_table_markdown(const struct argument_table *t, const struct cprof_profile *p,
                             size_t limit, FILE *out)
{
    struct grid_column columns[COLUMNS_MOST];
    struct grid grid;
    char *title = argument_title(t), *rest = rest_text(t, fill(&grid, columns, t, p, limit));

    markdown_put_text(out, title);
    fputs(t->n ? "\n\n" : "\n", out);
    if (t->n)
        grid_write_markdown(&grid, out);
    if (rest)
        fprintf(out, "\n%s\n", rest);
    if (t->recursive)
        fprintf(out, "\n%s\n", recursion_text);
    grid_free(&grid);
    free(title);
    free(rest);
}
