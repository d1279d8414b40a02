#include <config.h>

#include "render/export/record_lines.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/export/valgrind_format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_function(const void *a, const void *b, void *profile)
{
    const struct record_line *x = a, *y = b;
    int order = compare_number(x->function, y->function);

    (void)profile;
    if (!order)
        order = compare_number(x->file, y->file);
    return order ? order : compare_number(x->line, y->line);
}

static int by_file(const void *a, const void *b, void *profile)
{
    const struct cprof_profile *p = profile;
    const struct record_line *x = a, *y = b;
    int order = strcmp(valgrind_file_name(p, x->file), valgrind_file_name(p, y->file));

    if (!order)
        order = strcmp(p->functions[x->function].name, p->functions[y->function].name);
    return order ? order : compare_number(x->line, y->line);
}

static void collect(struct record_lines *lines, const struct cprof_profile *p,
                    int (*compare)(const void *, const void *, void *))
{
    size_t kept = 0;

    lines->n = p->n_costs;
    lines->items = xreallocarray(NULL, lines->n, sizeof *lines->items);
    lines->counts = xcalloc(lines->n * p->n_events, sizeof *lines->counts);
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];

        lines->items[i] =
            (struct record_line){c->function, c->file, c->line, cprof_cost_values(p, i)};
    }
    if (lines->n)
        qsort_r(lines->items, lines->n, sizeof *lines->items, compare, (void *)p);
    for (size_t i = 0; i < lines->n; i++) {
        bool same = kept && compare(&lines->items[kept - 1], &lines->items[i], (void *)p) == 0;
        int64_t *sums = lines->counts + (same ? kept - 1 : kept) * p->n_events;

        counts_add(sums, lines->items[i].counts, p->n_events);
        if (!same) {
            lines->items[kept] = lines->items[i];
            lines->items[kept++].counts = sums;
        }
    }
    lines->n = kept;
}

void record_lines_by_function(struct record_lines *lines, const struct cprof_profile *profile)
{
    collect(lines, profile, by_function);
}

void record_lines_by_file(struct record_lines *lines, const struct cprof_profile *profile)
{
    collect(lines, profile, by_file);
}

void record_lines_free(struct record_lines *lines)
{
    free(lines->items);
    free(lines->counts);
    *lines = (struct record_lines){.n = 0};
}
