#include <config.h>

#include "render/text/line_table.h"

#include "base/count.h"
#include "base/memory.h"
#include "render/text/figure_cell.h"
#include "render/text/place_cell.h"
#include "render/text/text.h"

#include <stdlib.h>

static const struct grid_column columns[] = {{"%", GRID_NUMBER, 0},
                                             {"Lines", GRID_NUMBER, 0},
                                             {"Used %", GRID_NUMBER, 0},
                                             {"Function", GRID_NAME, 0},
                                             {"Wastes most", GRID_PLACE, 0}};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

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

static void put_numbers(struct grid *grid, const struct line_table *t, const struct line_use *use,
                        enum grid_style style)
{
    const struct figure figures[] = {
        figure_percent(line_use_wasted(use), line_use_wasted(&t->use), 1), figure_count(use->lines),
        line_use_figure(use)};

    figure_cells(grid, figures, sizeof figures / sizeof *figures, style);
}

static void put_row(struct grid *grid, const struct line_view *v, const struct line_row *row)
{
    const struct cprof_profile *p = v->table->profile;

    put_numbers(grid, v->table, &row->use, GRID_PLAIN);
    grid_cell(grid, p->functions[row->spot.function].name, GRID_PLAIN);
    place_cell(grid, p, &row->spot, v->root, GRID_PLAIN);
}

static void put_rest(struct grid *grid, const struct line_table *t, size_t shown)
{
    struct line_use rest = {0, 0};

    for (size_t i = shown; i < t->n; i++)
        line_use_add(&rest, &t->rows[i].use);
    if (!rest.lines)
        return;
    put_numbers(grid, t, &rest, GRID_DIM);
    grid_cell(grid, "[all else]", GRID_DIM);
    grid_place(grid, "", NULL, GRID_DIM);
}

/* Fills a grid, which the caller frees. */
static void fill(struct grid *grid, const struct line_view *v)
{
    const struct line_table *t = v->table;
    size_t n = v->limit && v->limit < t->n_shown ? v->limit : t->n_shown, i;

    grid_init(grid, columns, N_COLUMNS);
    for (i = 0; i < n; i++) {
        if (i && v->brief && line_use_wasted(&t->rows[i].use) < line_use_wasted(&t->use) / 100)
            break;
        put_row(grid, v, &t->rows[i]);
    }
    put_rest(grid, t, i);
}

void line_view_fill(const struct line_view *v, struct titled_grid *filled)
{
    *filled =
        (struct titled_grid){.heading = heading_text(v->table), .totals = totals_text(v->table)};
    fill(&filled->grid, v);
}
