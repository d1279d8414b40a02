#include <config.h>

#include "render/text/data_table.h"

#include "base/count.h"
#include "base/memory.h"
#include "names/location.h"
#include "render/text/figure_cell.h"
#include "render/text/line_table.h"
#include "render/text/place_cell.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

const struct grid_column data_table_columns[] = {
    [DATA_SHARE] = {"%", GRID_NUMBER, 0}, [DATA_D1M] = {"D1m", GRID_NUMBER, 0},
    [DATA_DLM] = {"DLm", GRID_NUMBER, 0}, [DATA_USED] = {"Used %", GRID_NUMBER, 0},
    [DATA_KIND] = {"Data", GRID_NAME, 0}, [DATA_BY] = {"By", GRID_NAME, 0},
    [DATA_AT] = {"At", GRID_PLACE, 0},    [DATA_TYPE] = {"Type, field", GRID_NAME, 0},
    [DATA_IN] = {"In", GRID_NOTE, 1}};

/* The columns that are shown, of DATA_COLUMNS: without the use of lines where that is not known.
 * Returns how many they are. */
static size_t choose_columns(struct grid_column *shown, const struct data_table *t)
{
    size_t n = 0;

    for (size_t i = 0; i < DATA_COLUMNS; i++)
        if (i != DATA_USED || t->profile->has_line_use)
            shown[n++] = data_table_columns[i];
    return n;
}

#define HEADING "Data: what misses, who made it, and below it who misses it, and where"

/* "5,120 misses of D1 (1,024 reads, 4,096 writes), 4,096 of LL", behind the use of lines. The
 * caller frees it. */
static char *totals_text(const struct data_table *t)
{
    char *use = t->profile->has_line_use ? line_use_text(&t->use) : NULL;
    char *text = xasprintf(
        "%s%s%s misses of D1 (%s reads, %s writes), %s of LL; shares are of %s misses",
        use ? use : "", use ? "; " : "", TEXT_COUNT(data_row_misses(t->misses, DATA_D1)),
        TEXT_COUNT(t->misses[CPROF_D1MR]), TEXT_COUNT(t->misses[CPROF_D1MW]),
        TEXT_COUNT(data_row_misses(t->misses, DATA_LL)), t->measure == DATA_D1 ? "D1" : "LL");

    free(use);
    return text;
}

/*--- Rows ---*/

static void put_numbers(struct grid *grid, const struct data_table *t, const int64_t *misses,
                        const struct line_use *use, enum grid_style style)
{
    struct figure figures[DATA_FIGURES];

    data_figures(t, misses, use, figures);
    figure_cells(grid, figures, t->profile->has_line_use ? DATA_FIGURES : DATA_USED, style);
}

char *data_row_place(const struct cprof_profile *p, const struct data_row *row, const char *root)
{
    return row->datum->kind == CPROF_DATA_VARIABLE ? location_text(NULL, 0, row->datum->path, root)
                                                   : place_cell_text(p, &row->spot, root);
}

static void put_origin(struct grid *grid, const struct data_view *v, const struct data_row *row)
{
    const struct cprof_profile *p = v->table->profile;
    char *text = data_row_place(p, row, v->root);

    grid_place(grid, text, row->spot.file == CPROF_NONE ? NULL : p->files[row->spot.file],
               GRID_BOLD);
    free(text);
}

/* True of less than a hundredth. */
static bool is_little(const int64_t *misses, const int64_t *of, enum data_measure measure)
{
    return data_row_misses(misses, measure) < data_row_misses(of, measure) / 100;
}

static void put_touch(struct grid *grid, const struct data_view *v, const struct data_row *row,
                      const struct data_touch *t)
{
    const struct cprof_profile *p = v->table->profile;
    char *offsets = data_row_offsets(p, row, t);
    char *within = data_touch_within(t, p->functions[t->within].name);

    put_numbers(grid, v->table, t->misses, &t->use, GRID_PLAIN);
    grid_cell(grid, "", GRID_PLAIN);
    grid_cell(grid, p->functions[t->spot.function].name, GRID_PLAIN);
    place_cell(grid, p, &t->spot, v->root, GRID_PLAIN);
    grid_cell(grid, offsets, GRID_PLAIN);
    grid_cell(grid, within, GRID_PLAIN);
    free(within);
    free(offsets);
}

/* Misses and lines of several rows, or touches. */
struct sum {
    int64_t misses[CPROF_DATA_EVENTS];
    struct line_use use;
};

static void add(struct sum *s, const int64_t *misses, const struct line_use *use)
{
    for (int e = 0; e < CPROF_DATA_EVENTS; e++)
        s->misses[e] += misses[e];
    line_use_add(&s->use, use);
}

static void put_sum(struct grid *grid, const struct data_table *t, const struct sum *s,
                    const char *what)
{
    put_numbers(grid, t, s->misses, &s->use, GRID_DIM);
    grid_cell(grid, "", GRID_DIM);
    grid_cell(grid, what, GRID_DIM);
    grid_place(grid, "", NULL, GRID_DIM);
    grid_cell(grid, "", GRID_DIM);
    grid_cell(grid, "", GRID_DIM);
}

/* Those that a table of few rows leaves out are one row, where they are not little. */
static void put_other_touches(struct grid *grid, const struct data_table *t,
                              const struct data_row *row, size_t shown)
{
    struct sum others = {.use = {0, 0}};

    for (size_t i = shown; i < row->n; i++)
        add(&others, row->touches[i].misses, &row->touches[i].use);
    if (!is_little(others.misses, t->misses, t->measure))
        put_sum(grid, t, &others, "[others]");
}

static void put_touches(struct grid *grid, const struct data_view *v, const struct data_row *row)
{
    size_t n = v->touches && v->touches < row->n ? v->touches : row->n, i;

    for (i = 0; i < n; i++) {
        if (i && v->touches &&
            is_little(row->touches[i].misses, v->table->misses, v->table->measure))
            break;
        put_touch(grid, v, row, &row->touches[i]);
    }
    if (i < row->n)
        put_other_touches(grid, v->table, row, i);
}

static void put_rest(struct grid *grid, const struct data_table *t, size_t shown)
{
    struct sum rest = {.use = {0, 0}};

    for (size_t i = shown; i < t->n; i++)
        add(&rest, t->rows[i].misses, &t->rows[i].use);
    if (data_row_misses(rest.misses, DATA_D1))
        put_sum(grid, t, &rest, "[all else]");
}

/* Fills a grid, which the caller frees. */
static void fill(struct grid *grid, const struct data_view *v)
{
    const struct data_table *t = v->table;
    struct grid_column shown[DATA_COLUMNS];
    size_t n = v->limit && v->limit < t->n_shown ? v->limit : t->n_shown, i;

    grid_init(grid, shown, choose_columns(shown, t));
    for (i = 0; i < n; i++) {
        const struct data_row *row = &t->rows[i];
        char *name, *type;

        if (i && v->brief && is_little(row->misses, t->misses, t->measure))
            break;
        name = data_row_name(t->profile, row);
        type = data_row_type(t->profile, row);
        put_numbers(grid, t, row->misses, &row->use, GRID_BOLD);
        grid_cell(grid, cprof_data_kind_name(row->datum->kind), GRID_BOLD);
        grid_cell(grid, name, GRID_BOLD);
        put_origin(grid, v, row);
        grid_cell(grid, type, GRID_BOLD);
        grid_cell(grid, "", GRID_BOLD);
        free(type);
        free(name);
        put_touches(grid, v, row);
    }
    put_rest(grid, t, i);
}

void data_view_fill(const struct data_view *v, struct titled_grid *filled)
{
    *filled = (struct titled_grid){.heading = xstrdup(HEADING), .totals = totals_text(v->table)};
    fill(&filled->grid, v);
}
