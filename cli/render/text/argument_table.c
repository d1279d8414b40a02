#include <config.h>

#include "render/text/argument_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/text/style.h"

#include <inttypes.h>
#include <stdlib.h>

/* The title of a table: "Argument 1 of malloc: 1,024 calls". The caller frees it. */
static char *argument_title(const struct argument_table *t)
{
    return xasprintf("Argument %u of %s: %s call%s", (unsigned)t->arg->number, t->arg->pattern,
                     TEXT_COUNT(t->calls), t->calls == 1 ? "" : "s");
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

/*--- Columns ---*/

enum column_id { CALLS, SHARE, VALUE, FUNCTION, CALLER, OWN, ARGUMENT };

/* The subject of the columns. */
struct subject {
    const struct argument_table *table;
    const struct cprof_profile *profile;
};

/* Sorted by the number that it begins with; one value alone is that number, never rounded. */
static struct cell value_cell(const struct argument_table *t, const struct argument_row *row)
{
    struct cell cell = cell_take(value_text(t, row));
    bool fits = !row->other && row->value <= INT64_MAX;

    cell.value = fits ? (int64_t)row->value : INT64_MAX;
    if (fits && argument_last(t, row) == row->value)
        cell.kind = CELL_COUNT;
    return cell;
}

static struct cell cell_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct subject *s = subject;
    const struct argument_row *row = item;

    switch ((enum column_id)c->id) {
    case CALLS:
        return cell_count((int64_t)row->calls);
    case SHARE:
        return cell_share((int64_t)row->calls, (int64_t)s->table->calls, 1);
    case VALUE:
        return value_cell(s->table, row);
    case ARGUMENT:
        return cell_take(
            xasprintf("%u of %s", (unsigned)s->table->arg->number, s->table->arg->pattern));
    case FUNCTION:
        return cell_function(s->profile, row->function);
    case CALLER:
        return cell_function(s->profile, row->caller);
    default:
        return cell_function(s->profile, row->own);
    }
}

static const struct table_column columns[] = {
    {"Calls", TABLE_COUNT, .cell = cell_of, .id = CALLS},
    {"%", TABLE_SHARE, .cell = cell_of, .id = SHARE},
    {"Value", TABLE_VALUE, .cell = cell_of, .id = VALUE},
    {"Function", TABLE_NAME, .cell = cell_of, .id = FUNCTION},
    {"Caller", TABLE_NAME, .cell = cell_of, .id = CALLER},
    {"Own code", TABLE_NAME, .cell = cell_of, .id = OWN}};

static void add_columns(struct table *table, const struct argument_table *t)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if ((i != FUNCTION || t->several) && (i != OWN || t->own))
            table_column(table, &columns[i]);
}

/*--- Writing ---*/

static const char recursion_text[] = "Calls by recursion count for the caller that began it.";

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
                          size_t limit, const struct text_screen *screen, FILE *out)
{
    size_t n = limit < t->n ? limit : t->n;
    const char *gap = screen ? "" : "\n";
    struct table table;
    char *rest = rest_text(t, n);

    table_begin(&table, &(struct subject){t, p});
    add_columns(&table, t);
    for (size_t i = 0; i < n; i++)
        table_put(&table, &t->rows[i], CELL_PLAIN);
    table_take_line(argument_title(t), STYLE_BOLD, "", screen, out);
    if (t->n) {
        fputc('\n', out);
        table_rows_write(&table, screen, out);
    }
    if (rest)
        fprintf(out, "%s%s\n", gap, rest);
    if (t->recursive)
        fprintf(out, "%s%s\n", gap, recursion_text);
    table_free(&table);
    free(rest);
}

void argument_tables_fill(const struct cprof_profile *p, const bool *own, size_t limit,
                          struct table *filled)
{
    struct subject s = {.profile = p};

    table_begin(filled, &s);
    table_columns(filled, columns, sizeof columns / sizeof *columns);
    table_column(filled,
                 &(struct table_column){"Argument", TABLE_NOTE, .cell = cell_of, .id = ARGUMENT});
    filled->heading = xstrdup("Counted arguments");
    for (uint32_t i = 0; i < p->n_counted_args; i++) {
        struct argument_table t;

        argument_table_load(&t, p, i, own);
        s.table = &t;
        for (size_t row = 0; row < t.n && row < limit; row++)
            table_put(filled, &t.rows[row], CELL_PLAIN);
        argument_table_free(&t);
    }
    table_drop_blank(filled);
}
