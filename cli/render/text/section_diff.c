#include <config.h>

#include "render/text/section_diff.h"

#include "base/memory.h"
#include "base/sort.h"
#include "diff/section_pairs.h"
#include "render/text/diff.h"
#include "render/text/style.h"
#include "render/text/table_text.h"

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

/*--- Columns ---*/

enum { ENTRIES = DIFF_PARTS, NAME = ENTRIES + DIFF_SIDES };

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct diff *d = subject;
    const struct line *l = row;
    uint32_t i;

    if (c->id == NAME)
        return cell_text(l->pair->name);
    if (c->id < ENTRIES)
        return diff_cell((enum diff_part)c->id, l->before, l->after, false);
    i = l->pair->index[c->id - ENTRIES];
    return i == CPROF_NONE ? cell_blank()
                           : cell_count((int64_t)d->profile[c->id - ENTRIES]->sections[i].began);
}

static const struct table_column columns[] = {
    {"Old", TABLE_COUNT, .spare = 1 + DIFF_SIDES, .cell = cell_of, .id = DIFF_PART_OLD},
    {"New", TABLE_COUNT, .spare = 2 + DIFF_SIDES, .cell = cell_of, .id = DIFF_PART_NEW},
    {"Change", TABLE_COUNT, .cell = cell_of, .id = DIFF_PART_CHANGE},
    {"%", TABLE_SHARE, .cell = cell_of, .id = DIFF_PART_PERCENT},
    {"Old entries", TABLE_COUNT, .spare = 1, .cell = cell_of, .id = ENTRIES + DIFF_OLD},
    {"New entries", TABLE_COUNT, .spare = 2, .cell = cell_of, .id = ENTRIES + DIFF_NEW},
    {"Section", TABLE_NAME, .cell = cell_of, .id = NAME}};

static void fill(struct table *table, const struct diff *d, const struct column *column)
{
    struct section_pairs pairs;
    struct line *lines;

    section_pairs_load(&pairs, d);
    lines = xcalloc(pairs.n + 1, sizeof *lines);
    for (size_t i = 0; i < pairs.n; i++)
        lines[i] =
            (struct line){&pairs.items[i], column_value(column, pairs.items[i].counts[DIFF_OLD]),
                          column_value(column, pairs.items[i].counts[DIFF_NEW])};
    sort_items(lines, pairs.n, sizeof *lines, by_change);
    table_begin(table, d);
    table_columns(table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < pairs.n; i++)
        table_put(table, &lines[i], CELL_PLAIN);
    free(lines);
    section_pairs_free(&pairs);
}

void section_diff_write(const struct diff *d, const struct column *column,
                        const struct text_screen *screen, FILE *out)
{
    struct table table;

    fill(&table, d, column);
    if (table.n_rows) {
        if (screen) {
            style_line(out, screen->color, STYLE_BOLD, "Sections", 0);
            fputc('\n', out);
        }
        table_rows_write(&table, screen, out);
        fputc('\n', out);
    }
    table_free(&table);
}
