#include <config.h>

#include "render/text/line_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/text/text.h"

#include <stdlib.h>

char *line_use_text(const struct line_use *use)
{
    char bytes[TEXT_NUMBER], used[TEXT_NUMBER];

    return xasprintf("of %s bytes that D1 fetched, %s %% were used",
                     text_count_short(bytes, line_use_bytes(use)),
                     text_percent(used, use->used, line_use_bytes(use), 1));
}

static char *heading_text(const struct line_table *t)
{
    char *use = line_use_text(&t->use), *text = xasprintf("Use of lines: %s", use);

    free(use);
    return text;
}

static char *totals_text(const struct line_table *t)
{
    return xasprintf("%s lines of %d bytes, by who fetched them; shares are of %s bytes not used",
                     TEXT_COUNT(t->use.lines), CPROF_LINE_SIZE,
                     TEXT_COUNT(line_use_wasted(&t->use)));
}

/*--- Columns ---*/

enum column_id { WASTED, LINES, USED, FUNCTION, PLACE };

static struct cell cell_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct line_view *v = subject;
    const struct line_row *row = item;
    const struct cprof_profile *p = v->table->profile;

    switch ((enum column_id)c->id) {
    case WASTED:
        return cell_share(line_use_wasted(&row->use), line_use_wasted(&v->table->use), 1);
    case LINES:
        return cell_count(row->use.lines);
    case USED:
        return cell_share(row->use.used, line_use_bytes(&row->use), 0);
    case FUNCTION:
        return cell_function(p, row->spot.function);
    default:
        return cell_spot(p, &row->spot, v->root);
    }
}

static const struct table_column columns[] = {
    {"%", TABLE_SHARE, .cell = cell_of, .id = WASTED},
    {"Lines", TABLE_COUNT, .cell = cell_of, .id = LINES},
    {"Used %", TABLE_SHARE, .cell = cell_of, .id = USED},
    {"Function", TABLE_NAME, .cell = cell_of, .id = FUNCTION, .names_sums = true},
    {"Wastes most", TABLE_PLACE, .cell = cell_of, .id = PLACE}};

/*--- Rows ---*/

static void add_rest(struct table *table, const struct line_table *t, size_t shown)
{
    struct line_row rest = {.use = {0, 0}};

    for (size_t i = shown; i < t->n; i++)
        line_use_add(&rest.use, &t->rows[i].use);
    if (rest.use.lines)
        table_put_sum(table, &rest, "[all else]");
}

static void add_rows(struct table *table, const struct line_view *v)
{
    const struct line_table *t = v->table;
    size_t n = v->limit && v->limit < t->n_shown ? v->limit : t->n_shown, i;

    for (i = 0; i < n; i++) {
        if (i && v->brief && line_use_wasted(&t->rows[i].use) < line_use_wasted(&t->use) / 100)
            break;
        table_put(table, &t->rows[i], CELL_PLAIN);
    }
    add_rest(table, t, i);
}

void line_view_fill(const struct line_view *v, struct table *filled)
{
    table_begin(filled, v);
    table_columns(filled, columns, sizeof columns / sizeof *columns);
    filled->heading = heading_text(v->table);
    filled->totals = totals_text(v->table);
    add_rows(filled, v);
}
