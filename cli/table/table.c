#include <config.h>

#include "table/table.h"

#include "base/array.h"
#include "base/memory.h"
#include "names/location.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- Cells ---*/

struct cell cell_count(int64_t value)
{
    return (struct cell){.kind = CELL_COUNT, .value = value};
}

struct cell cell_change(int64_t value)
{
    return (struct cell){.kind = CELL_CHANGE, .value = value};
}

struct cell cell_duration(int64_t nanoseconds)
{
    return (struct cell){.kind = CELL_DURATION, .value = nanoseconds};
}

struct cell cell_share(int64_t part, int64_t whole, unsigned decimals)
{
    return (struct cell){.kind = CELL_SHARE, .value = part, .whole = whole, .decimals = decimals};
}

struct cell cell_column(const struct column *column, const int64_t *counts, const int64_t *totals)
{
    int64_t value = column_value(column, counts);

    if (column_is_share(column))
        return cell_share(value, column_value(column, totals), 1);
    return column->is_duration ? cell_duration(value) : cell_count(value);
}

struct cell cell_ratio(const struct row *row, const struct column *column)
{
    struct cell cell = {.kind = CELL_RATIO};

    if (!row_ratio(row, column, &cell.value, &cell.whole))
        cell.whole = 0;
    return cell;
}

struct cell cell_calls(const struct row *row, int64_t called)
{
    int64_t calls = row_calls(row, called);
    bool more = row->entered && row->entered_least;

    return (struct cell){.kind = CELL_CALLS,
                         .style = !calls || (more && row->inlined) ? CELL_DIM : CELL_PLAIN,
                         .value = calls,
                         .whole = row_knows_calls(row, called),
                         .about = more};
}

struct cell cell_real(double value, unsigned decimals)
{
    return (struct cell){.kind = CELL_REAL, .real = value, .decimals = decimals};
}

struct cell cell_size(uint64_t bytes)
{
    return (struct cell){.kind = CELL_SIZE, .value = (int64_t)bytes};
}

struct cell cell_unknown(void)
{
    return cell_share(0, 0, 0);
}

struct cell cell_blank(void)
{
    return cell_text("");
}

struct cell cell_text(const char *text)
{
    return cell_take(text ? xstrdup(text) : NULL);
}

struct cell cell_take(char *text)
{
    return (struct cell){.kind = CELL_TEXT, .text = text ? text : xstrdup("")};
}

struct cell cell_place(char *text, const char *file)
{
    return (struct cell){.kind = CELL_TEXT, .text = text, .file = file};
}

struct cell cell_spot(const struct cprof_profile *p, const struct code_spot *spot, const char *root)
{
    uint32_t object =
        spot->function == CPROF_NONE ? CPROF_NONE : p->functions[spot->function].object;
    const char *file = spot->file == CPROF_NONE ? NULL : p->files[spot->file];

    struct cell cell =
        cell_place(location_text(file, spot->line,
                                 object == CPROF_NONE ? NULL : p->objects[object].path, root),
                   file);

    cell.line = spot->line;
    return cell;
}

struct cell cell_function(const struct cprof_profile *p, uint32_t function)
{
    struct cell cell = cell_text(function == CPROF_NONE ? "" : p->functions[function].name);

    cell.function = function == CPROF_NONE ? 0 : function + 1;
    return cell;
}

struct cell cell_styled(struct cell cell, enum cell_style style)
{
    cell.style = style;
    return cell;
}

void cell_free(struct cell *cell)
{
    free(cell->text);
}

long double cell_order(const struct cell *cell)
{
    if (cell->kind == CELL_SHARE || cell->kind == CELL_RATIO)
        return cell->whole ? (long double)cell->value / (long double)cell->whole
                           : (long double)INT64_MIN;
    return cell->kind == CELL_REAL ? (long double)cell->real : (long double)cell->value;
}

enum cell_content cell_content(const struct cell *c, double *real)
{
    bool knows_whole = c->whole != 0;
    double part = (double)c->value * (c->kind == CELL_SHARE ? 100 : 1);

    *real = c->kind == CELL_REAL ? c->real : knows_whole ? part / (double)c->whole : 0;
    *real = round(*real * 1e3) / 1e3;
    switch (c->kind) {
    case CELL_TEXT:
        return *c->text ? CONTENT_TEXT : CONTENT_NONE;
    case CELL_SHARE:
    case CELL_RATIO:
        return knows_whole ? CONTENT_REAL : CONTENT_NONE;
    case CELL_REAL:
        return isfinite(c->real) ? CONTENT_REAL : CONTENT_NONE;
    case CELL_CALLS:
        return knows_whole ? CONTENT_COUNT : CONTENT_NONE;
    case CELL_SIZE:
        return c->value ? CONTENT_COUNT : CONTENT_NONE;
    default:
        return CONTENT_COUNT;
    }
}

/*--- Tables ---*/

void table_begin(struct table *t, const void *subject)
{
    *t = (struct table){.subject = subject};
}

void table_column(struct table *t, const struct table_column *column)
{
    GROW(t->columns, t->n_columns, t->columns_room);
    t->columns[t->n_columns] = *column;
    t->columns[t->n_columns++].heading = xstrdup(column->heading);
}

void table_columns(struct table *t, const struct table_column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        table_column(t, &columns[i]);
}

static void put(struct table *t, struct cell cell, enum cell_style style)
{
    if (cell.style == CELL_PLAIN)
        cell.style = style;
    APPEND(t->cells, t->n_cells, t->room) = cell;
}

void table_put(struct table *t, const void *row, enum cell_style style)
{
    for (size_t i = 0; i < t->n_columns; i++)
        put(t, t->columns[i].cell(t->subject, row, &t->columns[i]), style);
    t->n_rows++;
}

void table_put_sum(struct table *t, const void *row, const char *name)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct table_column *c = &t->columns[i];

        put(t,
            c->names_sums                 ? cell_text(name)
            : table_kind_is_text(c->kind) ? cell_blank()
                                          : c->cell(t->subject, row, c),
            CELL_DIM);
    }
    t->n_rows++;
}

static bool is_blank(const struct table *t, size_t column)
{
    for (size_t r = 0; r < t->n_rows; r++)
        if (!table_at(t, r, column)->text || *table_at(t, r, column)->text)
            return false;
    return t->n_rows > 0;
}

static void drop(struct table *t, size_t column)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->n_cells; i++)
        if (i % t->n_columns != column)
            t->cells[kept++] = t->cells[i];
        else
            cell_free(&t->cells[i]);
    t->n_cells = kept;
    free((char *)t->columns[column].heading);
    for (size_t i = column + 1; i < t->n_columns; i++)
        t->columns[i - 1] = t->columns[i];
    t->n_columns--;
}

void table_drop_blank(struct table *t)
{
    for (size_t c = t->n_columns; c-- > 0;)
        if (is_blank(t, c))
            drop(t, c);
}

const char *table_kind_word(enum table_kind kind)
{
    static const char *const words[] = {
        [TABLE_COUNT] = "count", [TABLE_SHARE] = "share", [TABLE_RATIO] = "ratio",
        [TABLE_VALUE] = "value", [TABLE_NAME] = "name",   [TABLE_PLACE] = "place",
        [TABLE_NOTE] = "note"};

    return words[kind];
}

static bool has_before(const struct table *t, size_t column)
{
    for (size_t i = 0; i < column; i++)
        if (!strcmp(t->columns[i].heading, t->columns[column].heading))
            return true;
    return false;
}

char **table_names(const struct table *t)
{
    char **names = xcalloc(t->n_columns + 1, sizeof *names);

    for (size_t c = 0; c < t->n_columns; c++) {
        const struct table_column *column = &t->columns[c];
        const char *heading = *column->heading ? column->heading : table_kind_word(column->kind);

        names[c] = has_before(t, c) ? xasprintf("%s %s", names[c - 1], heading) : xstrdup(heading);
    }
    return names;
}

void table_names_free(char **names, const struct table *t)
{
    for (size_t c = 0; c < t->n_columns; c++)
        free(names[c]);
    free(names);
}

void table_clear(struct table *t)
{
    for (size_t i = 0; i < t->n_cells; i++)
        cell_free(&t->cells[i]);
    t->n_cells = t->n_rows = 0;
}

void table_free(struct table *t)
{
    table_clear(t);
    for (size_t i = 0; i < t->n_columns; i++)
        free((char *)t->columns[i].heading);
    free(t->cells);
    free(t->columns);
    free(t->heading);
    free(t->totals);
    free(t->closing);
    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        free(t->findings[i]);
    *t = (struct table){.n_rows = 0};
}
