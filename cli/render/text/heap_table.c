#include <config.h>

#include "render/text/heap_table.h"

#include "base/memory.h"
#include "names/location.h"
#include "render/text/text.h"
#include "table/search.h"

#include <stdlib.h>

/*--- Columns ---*/

/* A mean of so many per block, rounded; not known without blocks. */
static struct cell mean_cell(int64_t sum, int64_t blocks)
{
    return blocks > 0 ? cell_count(sum / blocks + (sum % blocks >= blocks - sum % blocks))
                      : cell_unknown();
}

/* Not all profiles know how long blocks lived. */
static struct cell cell_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct heap_table *t = subject;
    const struct heap_row *r = item;
    const struct heap_sums *s = &r->sums;
    const struct cprof_profile *p = t->own->profile;
    const struct row *row;

    switch ((enum heap_column)c->id) {
    case HEAP_SHARE:
        return cell_share(column_value(t->measure, r->counts), column_value(t->measure, p->totals),
                          1);
    case HEAP_BYTES:
        return cell_count(s->bytes);
    case HEAP_BLOCKS:
        return cell_count(s->blocks);
    case HEAP_MEAN_SIZE:
        return mean_cell(s->bytes, s->blocks);
    case HEAP_MEAN_LIFE:
        return heap_knows(p, "Life") ? mean_cell(s->life, s->blocks) : cell_unknown();
    case HEAP_TEMPORARY:
        return heap_knows(p, "Temporary") ? cell_share(s->temporary, s->blocks, 1) : cell_unknown();
    case HEAP_AT_PEAK:
        return cell_count(s->peak_bytes);
    case HEAP_AT_END:
        return cell_count(s->end_bytes);
    case HEAP_FUNCTION:
        return cell_take(row_label(&r->function->row, false, NULL));
    default:
        row = &r->function->row;
        return cell_place(location_text(row->file, row->line, row->object, t->root), row->file);
    }
}

const struct table_column heap_table_columns[HEAP_COLUMNS] = {
    {"%", TABLE_SHARE, .cell = cell_of, .id = HEAP_SHARE},
    {"Bytes", TABLE_COUNT, .cell = cell_of, .id = HEAP_BYTES},
    {"Blocks", TABLE_COUNT, .cell = cell_of, .id = HEAP_BLOCKS},
    {"Mean size", TABLE_RATIO, .spare = 3, .cell = cell_of, .id = HEAP_MEAN_SIZE},
    {"Mean life, Ir", TABLE_RATIO, .spare = 2, .cell = cell_of, .id = HEAP_MEAN_LIFE},
    {"Temp. %", TABLE_SHARE, .spare = 4, .cell = cell_of, .id = HEAP_TEMPORARY},
    {"At peak", TABLE_COUNT, .cell = cell_of, .id = HEAP_AT_PEAK},
    {"At end", TABLE_COUNT, .cell = cell_of, .id = HEAP_AT_END},
    {"Function", TABLE_NAME, .cell = cell_of, .id = HEAP_FUNCTION, .names_sums = true},
    {"Costliest line", TABLE_PLACE, .spare = 1, .cell = cell_of, .id = HEAP_PLACE}};

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

static void add_rows(struct table *table, const struct heap_table *t)
{
    struct heap_rows rows;

    heap_rows_load(&rows, t->own, t->n, t->limit, heap_allocates);
    for (size_t i = 0; i < rows.n; i++)
        if (rows.items[i].function)
            table_put(table, &rows.items[i], CELL_PLAIN);
        else
            table_put_sum(table, &rows.items[i], "[all else]");
    heap_rows_free(&rows);
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

void heap_table_fill(const struct heap_table *t, struct table *filled)
{
    struct heap_sums s = heap_sums_of(t->own->profile, t->own->profile->totals);

    table_begin(filled, t);
    table_columns(filled, heap_table_columns, HEAP_COLUMNS);
    filled->heading = xstrdup(HEADING);
    filled->totals = totals_text(t->own->profile);
    filled->findings[0] = finding(t, "never freed", "EndBytes", "bytes", s.peak_bytes / 100);
    filled->findings[1] =
        finding(t, "freed with no allocation in between", "Temporary", "blocks", s.blocks / 10);
    add_rows(filled, t);
}
