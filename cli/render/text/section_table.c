#include <config.h>

#include "render/text/section_table.h"

#include "base/memory.h"
#include "base/sort.h"
#include "diff/section_pairs.h"
#include "render/text/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The mean of the counts of one entry, rounded; not known where it never began. */
static struct cell mean_cell(const struct cprof_section *s, int64_t cost)
{
    __int128 twice = 2 * (__int128)cost + (int64_t)s->began;

    return s->began ? cell_count((int64_t)(twice / (2 * (__int128)s->began))) : cell_unknown();
}

static int by_cost(const void *a, const void *b)
{
    const struct section_line *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return strcmp(x->section->name, y->section->name);
}

struct section_line section_line(const struct section_table *t, uint32_t i)
{
    const int64_t *counts = cprof_section_values(t->profile, i);

    return (struct section_line){&t->profile->sections[i], column_value(t->measure, counts),
                                 counts};
}

/*--- Columns ---*/

bool section_table_has_entries(const struct column *measure)
{
    return !strcmp(measure->name, "Ir");
}

/* The costs of entries that ended; without any, blank. */
static struct cell spread_cell(const struct cprof_section *s, enum section_column column)
{
    struct cell cell = cell_count((int64_t)(column == SECTION_LEAST    ? s->least
                                            : column == SECTION_MEDIAN ? s->median
                                                                       : s->greatest));

    if (!s->n_spreads)
        return cell_blank();
    cell.about = column == SECTION_MEDIAN && s->rounded;
    return cell;
}

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct section_table *t = subject;
    const struct section_line *l = row;

    switch ((enum section_column)c->id) {
    case SECTION_COST:
        return cell_count(l->cost);
    case SECTION_SHARE:
        return cell_share(l->cost, column_value(t->measure, t->profile->totals), 1);
    case SECTION_MISSES:
        return cell_count(column_value(c->shows, l->counts));
    case SECTION_ENTRIES:
        return cell_count((int64_t)l->section->began);
    case SECTION_MEAN:
        return mean_cell(l->section, l->cost);
    case SECTION_NAME:
        return cell_text(l->section->name);
    default:
        return spread_cell(l->section, (enum section_column)c->id);
    }
}

const struct table_column section_columns[SECTION_COLUMNS] = {
    {"", TABLE_COUNT, .cell = cell_of, .id = SECTION_COST},
    {"%", TABLE_SHARE, .cell = cell_of, .id = SECTION_SHARE},
    {"", TABLE_COUNT, .spare = 2, .cell = cell_of, .id = SECTION_MISSES},
    {"Entries", TABLE_COUNT, .cell = cell_of, .id = SECTION_ENTRIES},
    {"Per entry", TABLE_RATIO, .cell = cell_of, .id = SECTION_MEAN},
    {"Least", TABLE_VALUE, .spare = 1, .cell = cell_of, .id = SECTION_LEAST},
    {"Median", TABLE_VALUE, .spare = 1, .cell = cell_of, .id = SECTION_MEDIAN},
    {"Greatest", TABLE_VALUE, .spare = 1, .cell = cell_of, .id = SECTION_GREATEST},
    {"Section", TABLE_NAME, .cell = cell_of, .id = SECTION_NAME}};

static void add_count(struct table *table, enum section_column column, const struct column *event,
                      int64_t total)
{
    struct table_column c = section_columns[column];

    c.heading = event->header;
    c.shows = event;
    c.total = total;
    table_column(table, &c);
}

/* Adds the misses of both levels beside the measure, where they are known. */
static void add_misses(struct table *table, const struct columns *columns,
                       const struct column *measure)
{
    static const char *const names[] = {"D1m", "LLm"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct column *c = columns ? columns_find(columns, names[i]) : NULL;

        if (c && c != measure)
            add_count(table, SECTION_MISSES, c, 0);
    }
}

void section_table_fill(const struct section_table *t, const struct columns *columns,
                        struct table *filled)
{
    uint32_t n = t->profile->n_sections;
    struct section_line *lines = xcalloc(n + (size_t)1, sizeof *lines);

    for (uint32_t i = 0; i < n; i++)
        lines[i] = section_line(t, i);
    sort_items(lines, n, sizeof *lines, by_cost);
    table_begin(filled, t);
    filled->heading =
        xstrdup(t->profile->sections_cold ? "Sections, each begun with empty caches" : "Sections");
    for (int i = 0; i < SECTION_COLUMNS; i++)
        if (i == SECTION_COST)
            add_count(filled, SECTION_COST, t->measure,
                      column_value(t->measure, t->profile->totals));
        else if (i == SECTION_MISSES)
            add_misses(filled, columns, t->measure);
        else if (section_table_has_entries(t->measure) || i < SECTION_LEAST || i == SECTION_NAME)
            table_column(filled, &section_columns[i]);
    for (uint32_t i = 0; i < n; i++)
        table_put(filled, &lines[i], CELL_PLAIN);
    free(lines);
}

/*--- Of two profiles ---*/

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

enum { ENTRIES = DIFF_PARTS, NAME = ENTRIES + DIFF_SIDES };

static struct cell diff_cell_of(const void *subject, const void *row, const struct table_column *c)
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
    {"Old", TABLE_COUNT, .spare = 1 + DIFF_SIDES, .cell = diff_cell_of, .id = DIFF_PART_OLD},
    {"New", TABLE_COUNT, .spare = 2 + DIFF_SIDES, .cell = diff_cell_of, .id = DIFF_PART_NEW},
    {"Change", TABLE_COUNT, .cell = diff_cell_of, .id = DIFF_PART_CHANGE},
    {"%", TABLE_SHARE, .cell = diff_cell_of, .id = DIFF_PART_PERCENT},
    {"Old entries", TABLE_COUNT, .spare = 1, .cell = diff_cell_of, .id = ENTRIES + DIFF_OLD},
    {"New entries", TABLE_COUNT, .spare = 2, .cell = diff_cell_of, .id = ENTRIES + DIFF_NEW},
    {"Section", TABLE_NAME, .cell = diff_cell_of, .id = NAME}};

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
    table->heading = xstrdup("Sections");
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
        table_write(&table, screen, out);
        fputc('\n', out);
    }
    table_free(&table);
}
