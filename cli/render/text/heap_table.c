#include <config.h>

#include "render/text/heap_table.h"

#include "base/memory.h"
#include "names/location.h"
#include "render/text/figure_cell.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

const struct grid_column heap_table_columns[] = {
    [HEAP_SHARE] = {"%", GRID_NUMBER, 0},
    [HEAP_BYTES] = {"Bytes", GRID_NUMBER, 0},
    [HEAP_BLOCKS] = {"Blocks", GRID_NUMBER, 0},
    [HEAP_MEAN_SIZE] = {"Mean size", GRID_NUMBER, 3},
    [HEAP_MEAN_LIFE] = {"Mean life, Ir", GRID_NUMBER, 2},
    [HEAP_TEMPORARY] = {"Temp. %", GRID_NUMBER, 4},
    [HEAP_AT_PEAK] = {"At peak", GRID_NUMBER, 0},
    [HEAP_AT_END] = {"At end", GRID_NUMBER, 0},
    [HEAP_FUNCTION] = {"Function", GRID_NAME, 0},
    [HEAP_PLACE] = {"Costliest line", GRID_PLACE, 1}};

/*--- Totals ---*/

static const char *blocks(int64_t n)
{
    return n == 1 ? "block" : "blocks";
}

/* The share of temporary blocks; "-" where they are not known, as by DHAT. */
static const char *temporary_text(char text[TEXT_NUMBER], const struct cprof_profile *p,
                                  const struct heap_sums *s)
{
    return heap_knows(p, "Temporary") ? text_percent(text, s->temporary, s->blocks, 1) : "-";
}

/* "3,213,011 bytes in 117 blocks; at the program's peak ...; at the end ...". Of several processes
 * one had the highest peak. The profile may be a part of the program, or one of its threads. The
 * caller frees it. */
static char *totals_text(const struct cprof_profile *p)
{
    struct heap_sums s = heap_sums_of(p, p->totals);
    char percent[TEXT_NUMBER], *text, *longer;
    bool is_empty = !s.blocks && !s.peak_blocks && !s.end_blocks;

    if (is_empty)
        return xasprintf("nothing was allocated by a function that is known to allocate; %s bytes "
                         "were mapped (mmap, brk), those that the loader maps for libraries "
                         "included",
                         TEXT_COUNT(s.map_bytes));
    text = xasprintf("%s bytes in %s %s; at %s peak %s bytes in %s %s; at the end %s "
                     "bytes in %s %s",
                     TEXT_COUNT(s.bytes), TEXT_COUNT(s.blocks), blocks(s.blocks),
                     p->heap.peaks > 1 ? "the largest process's" : "the program's",
                     TEXT_COUNT(s.peak_bytes), TEXT_COUNT(s.peak_blocks), blocks(s.peak_blocks),
                     TEXT_COUNT(s.end_bytes), TEXT_COUNT(s.end_blocks), blocks(s.end_blocks));
    if (!heap_knows(p, "Temporary"))
        return text;
    longer = xasprintf("%s; %s %% were freed with no allocation in between", text,
                       temporary_text(percent, p, &s));
    free(text);
    return longer;
}

/*--- Rows ---*/

/* The share is that of the measure. */
static void put_numbers(struct grid *grid, const struct heap_table *t, const int64_t *counts,
                        const struct heap_sums *s, enum grid_style style)
{
    struct figure figures[HEAP_FIGURES];

    heap_figures(t->own->profile, s, column_value(t->measure, counts),
                 column_value(t->measure, t->own->profile->totals), figures);
    figure_cells(grid, figures, HEAP_FIGURES, style);
}

static void put_function(struct grid *grid, const struct heap_table *t, const struct row *row)
{
    char *name = xasprintf("%s%s%s", row->name, row->tag[0] ? " " : "", row->tag);
    char *place = location_text(row->file, row->line, row->object, t->root);

    grid_cell(grid, name, GRID_PLAIN);
    grid_place(grid, place, row->file, GRID_PLAIN);
    free(name);
    free(place);
}

/* The counts of `from` less those of `what`. */
static void subtract(int64_t *from, const int64_t *what, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        from[i] -= what[i];
}

/* Fills a grid, which the caller frees. */
static void fill(struct grid *grid, const struct heap_table *t)
{
    const struct cprof_profile *p = t->own->profile;
    int64_t *rest = xreallocarray(NULL, p->n_events, sizeof *rest);
    struct heap_sums sums;
    size_t shown = 0;

    memcpy(rest, p->totals, p->n_events * sizeof *rest);
    grid_init(grid, heap_table_columns, HEAP_COLUMNS);
    for (size_t i = 0; i < t->n && (!t->limit || shown < t->limit); i++) {
        const struct own_function *f = &t->own->items[i];

        sums = heap_sums_of(p, f->charged);
        if (!heap_sums_are_any(&sums))
            continue;
        put_numbers(grid, t, f->charged, &sums, GRID_PLAIN);
        put_function(grid, t, &f->row);
        subtract(rest, f->charged, p->n_events);
        shown++;
    }
    sums = heap_sums_of(p, rest);
    if (heap_sums_are_any(&sums)) {
        put_numbers(grid, t, rest, &sums, GRID_DIM);
        grid_cell(grid, "[all else]", GRID_DIM);
        grid_place(grid, "", NULL, GRID_DIM);
    }
    free(rest);
}

/*--- Findings ---*/

/* The function that has most of an event. */
static const struct own_function *most_of(const struct heap_table *t, uint32_t event)
{
    const struct own_function *most = NULL;

    for (size_t i = 0; i < t->own->n; i++)
        if (!most || t->own->items[i].charged[event] > most->charged[event])
            most = &t->own->items[i];
    return most;
}

/* The line of the function that has most of the event; NULL: none has any. */
static const struct row *line_of(const struct heap_table *t, const struct own_function *f,
                                 uint32_t event)
{
    const struct row *most = NULL;

    for (size_t i = 0; i < t->own->lines.n; i++) {
        const struct row *line = &t->own->lines.items[i];

        if (line->function == f->row.function && line->counts[event] > 0 &&
            (!most || line->counts[event] > most->counts[event]))
            most = line;
    }
    return most;
}

/* "never freed: 40,000 of 40,544 bytes, by leak::open (src/main.rs:8)": who has most of the event,
 * where that is at least `least`; else NULL. The caller frees it. */
static char *finding(const struct heap_table *t, const char *what, const char *event_name,
                     const char *unit, int64_t least)
{
    const struct cprof_profile *p = t->own->profile;
    uint32_t event = cprof_find_event(p, event_name);
    const struct own_function *f = event == CPROF_NONE ? NULL : most_of(t, event);
    const struct row *line = f ? line_of(t, f, event) : NULL;
    char *place, *text;

    if (!line || f->charged[event] < least)
        return NULL;
    place = location_text(line->file, line->line, line->object, t->root);
    text = xasprintf("%s: %s of %s %s, by %s (%s)", what, TEXT_COUNT(f->charged[event]),
                     TEXT_COUNT(p->totals[event]), unit, f->row.name, place);
    free(place);
    return text;
}

#define HEADING "Heap: what functions allocated, with other code that they called"

void heap_table_fill(const struct heap_table *t, struct titled_grid *filled)
{
    struct heap_sums s = heap_sums_of(t->own->profile, t->own->profile->totals);

    *filled = (struct titled_grid){
        .heading = xstrdup(HEADING),
        .totals = totals_text(t->own->profile),
        .findings = {finding(t, "never freed", "EndBytes", "bytes", s.peak_bytes / 100),
                     finding(t, "freed with no allocation in between", "Temporary", "blocks",
                             s.blocks / 10)}};
    fill(&filled->grid, t);
}
