#include <config.h>

#include "render/text/type_table.h"

#include "base/count.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/markdown.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "render/text/titled_grid.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct grid_column columns[] = {{"Offset", GRID_NUMBER, 0}, {"Size", GRID_NUMBER, 0},
                                             {"Member", GRID_NAME, 0},   {"Type", GRID_NOTE, 1},
                                             {"Reads", GRID_NUMBER, 0},  {"Writes", GRID_NUMBER, 0},
                                             {"D1m", GRID_NUMBER, 0},    {"DLm", GRID_NUMBER, 0}};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

#define EXPLAINED                                                                                  \
    "Reads and Writes are of instructions that miss in this member alone: a member with none may " \
    "still be used often"

static int64_t d1_of(const int64_t *misses)
{
    return misses[CPROF_D1MR] + misses[CPROF_D1MW];
}

static int64_t ll_of(const int64_t *misses)
{
    return misses[CPROF_DLMR] + misses[CPROF_DLMW];
}

/*--- Rows ---*/

static void put_empty(struct grid *grid, int n)
{
    while (n--)
        grid_cell(grid, "", GRID_DIM);
}

/* The border of line `number`, from 1. */
static void put_border(struct grid *grid, uint64_t number)
{
    char *text = xasprintf("-- line %" PRIu64 " --", number);

    put_empty(grid, 2);
    grid_cell(grid, text, GRID_DIM);
    put_empty(grid, N_COLUMNS - 3);
    free(text);
}

static void put_misses(struct grid *grid, const int64_t *misses, enum grid_style style)
{
    grid_count(grid, d1_of(misses), style);
    grid_count(grid, ll_of(misses), style);
}

/* Accesses that never miss, or miss elsewhere, too, are not known. */
static void put_executed(struct grid *grid, int64_t count, enum grid_style style)
{
    if (count)
        grid_count(grid, count, style);
    else
        grid_cell(grid, "-", style);
}

static void put_row(struct grid *grid, const struct type_row *row, bool hot)
{
    enum grid_style style = !row->name ? GRID_DIM : hot ? GRID_BOLD : GRID_PLAIN;

    grid_count(grid, (int64_t)row->offset, style);
    grid_count(grid, (int64_t)row->size, style);
    grid_cell(grid, row->name ? row->name : "[padding]", style);
    if (!row->name) {
        put_empty(grid, N_COLUMNS - 3);
        return;
    }
    grid_cell(grid, row->type ? row->type : "", style);
    put_executed(grid, row->reads, style);
    put_executed(grid, row->writes, style);
    put_misses(grid, row->misses, style);
}

static void put_nowhere(struct grid *grid, const struct type_rows *t)
{
    if (!d1_of(t->nowhere) && !ll_of(t->nowhere))
        return;
    put_empty(grid, 2);
    grid_cell(grid, "[member not known]", GRID_DIM);
    put_empty(grid, 3);
    put_misses(grid, t->nowhere, GRID_DIM);
}

/* Fills a grid, which the caller frees. */
static void fill(struct grid *grid, const struct type_rows *t)
{
    uint64_t line = 0;

    grid_init(grid, columns, N_COLUMNS);
    for (size_t i = 0; i < t->n; i++) {
        const struct type_row *row = &t->rows[i];

        if (row->offset / CPROF_LINE_SIZE > line)
            put_border(grid, row->offset / CPROF_LINE_SIZE + 1);
        line = row->offset / CPROF_LINE_SIZE;
        put_row(grid, row,
                row->first != FIELD_NONE && row->first == row->last && t->hot[row->first]);
    }
    put_nowhere(grid, t);
}

/*--- Texts; the caller frees each ---*/

static char *heading_of(const struct type_rows *t)
{
    char *name = fields_type_name(t->profile->types[t->type].name);
    char *text = xasprintf(
        "%s: %s bytes as they lie in memory%s", name, TEXT_COUNT(t->fields.size),
        t->fields.size > CPROF_LINE_SIZE ? ", with lines counted from its beginning" : "");

    free(name);
    return text;
}

static char *totals_of(const struct type_rows *t)
{
    return xasprintf("%s misses of D1, %s of LL; %s", TEXT_COUNT(d1_of(t->misses)),
                     TEXT_COUNT(ll_of(t->misses)), EXPLAINED);
}

/* "x, id": the members that the advice is about. */
static char *hot_members(const struct type_rows *t)
{
    struct strbuf text = {NULL, 0, 0};

    for (size_t i = 0; i < t->fields.n; i++)
        if (t->hot[i])
            strbuf_add_item(&text, ", ", t->fields.items[i].name);
    return strbuf_take(&text);
}

/* The change that is advised; NULL: none. */
static char *advice_of(const struct type_rows *t)
{
    const struct type_advice *a = &t->advice;
    char *order, *hot, *text;

    if (a->function == CPROF_NONE)
        return NULL;
    order = type_rows_order(t);
    hot = hot_members(t);
    text = xasprintf(
        "%s misses in %s of the same data: they lie on %.2f lines now, on average, on %.2f in "
        "this order%s: %s; data that lie side by side share lines already, so a walk of them gains "
        "less",
        t->profile->functions[a->function].name, hot, a->now, a->then,
        t->profile->types[t->type].reordered ? " (which rustc keeps with #[repr(C)])" : "", order);
    free(hot);
    free(order);
    return text;
}

/*--- Writing ---*/

void type_table_write(const struct type_rows *t, const struct grid_screen *screen, FILE *out)
{
    struct titled_grid filled = {.heading = heading_of(t), .totals = totals_of(t)};
    char *advice = advice_of(t);

    fill(&filled.grid, t);
    titled_grid_write(&filled, screen, out);
    if (advice)
        fputc('\n', out);
    if (advice && screen) {
        style_line(out, screen->color, STYLE_BOLD, advice, screen->width);
    } else if (advice) {
        markdown_put_text(out, advice);
        fputs(".\n", out);
    }
    titled_grid_free(&filled);
    free(advice);
}
