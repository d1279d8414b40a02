#include <config.h>

#include "render/text/section_table.h"

#include "base/memory.h"
#include "base/sort.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

int64_t section_mean(const struct cprof_section *s, int64_t cost)
{
    __int128 twice = 2 * (__int128)cost + (int64_t)s->began;

    return s->began ? (int64_t)(twice / (2 * (__int128)s->began)) : 0;
}

static int by_cost(const void *a, const void *b)
{
    const struct section_line *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return strcmp(x->section->name, y->section->name);
}

struct section_line *section_lines(const struct cprof_profile *p, const struct column *measure)
{
    struct section_line *lines = xcalloc(p->n_sections, sizeof *lines);

    for (uint32_t i = 0; i < p->n_sections; i++)
        lines[i] = (struct section_line){&p->sections[i],
                                         column_value(measure, cprof_section_values(p, i)),
                                         cprof_section_values(p, i)};
    sort_items(lines, p->n_sections, sizeof *lines, by_cost);
    return lines;
}

/* The costs of entries that ended; without any, blanks. Rounded costs have a sign before them. */
static void put_spread(struct grid *grid, const struct cprof_section *s, bool utf8)
{
    char text[TEXT_NUMBER], *median;

    if (!s->n_spreads) {
        for (int i = 0; i < 3; i++)
            grid_cell(grid, "", GRID_PLAIN);
        return;
    }
    grid_count(grid, (int64_t)s->least, GRID_PLAIN);
    median = xasprintf("%s%s",
                       !s->rounded ? ""
                       : utf8      ? "≈"
                                   : "~",
                       text_count(text, (int64_t)s->median));
    grid_cell(grid, median, GRID_PLAIN);
    free(median);
    grid_count(grid, (int64_t)s->greatest, GRID_PLAIN);
}

enum { MISSES_MOST = 2, COLUMNS_MOST = 8 + MISSES_MOST };

bool section_table_has_entries(const struct column *measure)
{
    return !strcmp(measure->name, "Ir");
}

/* The columns of misses that the table has beside its measure: those of both levels, where they are
 * known. Returns how many. */
static size_t find_misses(const struct column *found[MISSES_MOST], const struct columns *columns,
                          const struct column *measure)
{
    static const char *const names[MISSES_MOST] = {"D1m", "LLm"};
    size_t n = 0;

    for (size_t i = 0; i < MISSES_MOST; i++) {
        const struct column *c = columns_find(columns, names[i]);

        if (c && c != measure)
            found[n++] = c;
    }
    return n;
}

/* Returns how many columns there are. */
static size_t make_columns(struct grid_column *columns, const struct column *measure,
                           const struct column *const *misses, size_t n_misses, bool ir)
{
    static const char *const heads[] = {"%",      "Entries",  "Per entry", "Least",
                                        "Median", "Greatest", "Section"};
    size_t n = 0;

    columns[n++] = (struct grid_column){measure->header, GRID_NUMBER, 0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (ir || i < 3 || i == 6)
            columns[n++] =
                (struct grid_column){heads[i], i < 6 ? GRID_NUMBER : GRID_NAME, i > 2 && i < 6};
        for (size_t k = 0; i == 0 && k < n_misses; k++)
            columns[n++] = (struct grid_column){misses[k]->header, GRID_NUMBER, 2};
    }
    return n;
}

/* Fills a grid, which the caller frees; `columns` has room for COLUMNS_MOST, and must outlive it.
 */
static void fill(struct grid *grid, struct grid_column *columns, const struct cprof_profile *p,
                 const struct columns *known, const struct column *measure, bool utf8)
{
    const struct column *misses[MISSES_MOST];
    size_t n_misses = find_misses(misses, known, measure);
    bool ir = section_table_has_entries(measure);
    struct section_line *lines = section_lines(p, measure);
    int64_t total = column_value(measure, p->totals);

    grid_init(grid, columns, make_columns(columns, measure, misses, n_misses, ir));
    for (uint32_t i = 0; i < p->n_sections; i++) {
        const struct cprof_section *s = lines[i].section;
        char text[TEXT_NUMBER];

        grid_count(grid, lines[i].cost, GRID_PLAIN);
        grid_cell(grid, text_percent(text, lines[i].cost, total, 1), GRID_PLAIN);
        for (size_t k = 0; k < n_misses; k++)
            grid_count(grid, column_value(misses[k], lines[i].counts), GRID_PLAIN);
        grid_count(grid, (int64_t)s->began, GRID_PLAIN);
        grid_count(grid, section_mean(s, lines[i].cost), GRID_PLAIN);
        if (ir)
            put_spread(grid, s, utf8);
        grid_cell(grid, s->name, GRID_PLAIN);
    }
    free(lines);
}

void section_table_write(const struct cprof_profile *p, const struct columns *known,
                         const struct column *measure, const struct grid_screen *screen, FILE *out)
{
    struct grid_column columns[COLUMNS_MOST];
    struct grid grid;

    style_line(out, screen->color, STYLE_BOLD,
               p->sections_cold ? "Sections, each begun with empty caches" : "Sections", 0);
    fputc('\n', out);
    fill(&grid, columns, p, known, measure, screen->utf8);
    grid_write(&grid, screen, out);
    grid_free(&grid);
}

void section_table_markdown(const struct cprof_profile *p, const struct columns *known,
                            const struct column *measure, FILE *out)
{
    struct grid_column columns[COLUMNS_MOST];
    struct grid grid;

    fill(&grid, columns, p, known, measure, text_is_utf8());
    grid_write_markdown(&grid, out);
    grid_free(&grid);
}
