#include <config.h>

#include "render/text/section_diff.h"

#include "base/memory.h"
#include "base/sort.h"
#include "diff/section_pairs.h"
#include "render/text/diff.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct line {
    const struct section_pair *pair;
    int64_t before, after;
};

static unsigned __int128 size_of_change(const struct line *l)
{
    __int128 change = (__int128)l->after - l->before;

    return (unsigned __int128)(change < 0 ? -change : change);
}

static int by_change(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (size_of_change(x) != size_of_change(y))
        return size_of_change(x) > size_of_change(y) ? -1 : 1;
    return strcmp(x->pair->name, y->pair->name);
}

static void put_entries(struct grid *grid, const struct diff *d, const struct section_pair *pair)
{
    for (int side = DIFF_OLD; side < DIFF_SIDES; side++) {
        uint32_t i = pair->index[side];

        if (i == CPROF_NONE)
            grid_cell(grid, "", GRID_PLAIN);
        else
            grid_count(grid, (int64_t)d->profile[side]->sections[i].began, GRID_PLAIN);
    }
}

static void put_line(struct grid *grid, const struct diff *d, const struct line *l)
{
    diff_put_counts(grid, l->before, l->after, false);
    diff_put_percent(grid, l->before, l->after, false, text_is_utf8());
    put_entries(grid, d, l->pair);
    grid_cell(grid, l->pair->name, GRID_PLAIN);
}

/* False where there are no sections. The caller frees the grid. */
static bool fill(struct grid *grid, const struct diff *d, const struct column *column)
{
    static const struct grid_column columns[] = {
        {"Old", GRID_NUMBER, DIFF_SPARE(DIFF_OLD) + DIFF_SIDES},
        {"New", GRID_NUMBER, DIFF_SPARE(DIFF_NEW) + DIFF_SIDES},
        {"Change", GRID_NUMBER, 0},
        {"%", GRID_NUMBER, 0},
        {"Old entries", GRID_NUMBER, DIFF_SPARE(DIFF_OLD)},
        {"New entries", GRID_NUMBER, DIFF_SPARE(DIFF_NEW)},
        {"Section", GRID_NAME, 0}};
    struct section_pairs pairs;
    struct line *lines;

    section_pairs_load(&pairs, d);
    lines = xcalloc(pairs.n + 1, sizeof *lines);
    grid_init(grid, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < pairs.n; i++)
        lines[i] =
            (struct line){&pairs.items[i], column_value(column, pairs.items[i].counts[DIFF_OLD]),
                          column_value(column, pairs.items[i].counts[DIFF_NEW])};
    sort_items(lines, pairs.n, sizeof *lines, by_change);
    for (size_t i = 0; i < pairs.n; i++)
        put_line(grid, d, &lines[i]);
    free(lines);
    section_pairs_free(&pairs);
    return grid->n_rows > 0 || grid->n_cells > 0;
}

void section_diff_write(const struct diff *d, const struct column *column,
                        const struct grid_screen *screen, FILE *out)
{
    struct grid grid;

    if (fill(&grid, d, column)) {
        style_line(out, screen->color, STYLE_BOLD, "Sections", 0);
        fputc('\n', out);
        grid_write(&grid, screen, out);
        fputc('\n', out);
    }
    grid_free(&grid);
}

void section_diff_markdown(const struct diff *d, const struct column *column, FILE *out)
{
    struct grid grid;

    if (fill(&grid, d, column)) {
        grid_write_markdown(&grid, out);
        fputc('\n', out);
    }
    grid_free(&grid);
}
