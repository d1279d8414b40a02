#include <config.h>

#include "table/heap.h"

#include "base/counts.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool heap_is_counted(const struct cprof_profile *p)
{
    return cprof_find_event(p, "Allocs") != CPROF_NONE &&
           cprof_find_event(p, "PeakBytes") != CPROF_NONE;
}

bool heap_is_column(const char *name)
{
    const char *at = HEAP_EVENTS " Blocks";
    size_t size = strlen(name);

    while (*at) {
        size_t length = strcspn(at, " ");

        if (length == size && !strncasecmp(at, name, size))
            return true;
        at += length;
        at += strspn(at, " ");
    }
    return false;
}

static int64_t value(const struct cprof_profile *p, const int64_t *counts, const char *name)
{
    uint32_t event = cprof_find_event(p, name);

    return event == CPROF_NONE ? 0 : counts[event];
}

struct heap_sums heap_sums_of(const struct cprof_profile *p, const int64_t *counts)
{
    int64_t blocks = value(p, counts, "Allocs");

    count_add(&blocks, value(p, counts, "Reallocs"));
    return (struct heap_sums){
        .blocks = blocks,
        .bytes = value(p, counts, "Bytes"),
        .temporary = value(p, counts, "Temporary"),
        .life = value(p, counts, "Life"),
        .peak_bytes = value(p, counts, "PeakBytes"),
        .peak_blocks = value(p, counts, "PeakBlocks"),
        .end_bytes = value(p, counts, "EndBytes"),
        .end_blocks = value(p, counts, "EndBlocks"),
        .map_bytes = value(p, counts, "MapBytes"),
    };
}

bool heap_allocates(const struct cprof_profile *p, const int64_t *counts)
{
    struct heap_sums s = heap_sums_of(p, counts);

    return s.blocks || s.bytes || s.peak_bytes || s.end_bytes;
}

bool heap_has_counts(const struct cprof_profile *p, const int64_t *counts)
{
    for (uint32_t i = 0; i < p->n_events; i++)
        if (counts[i] && heap_is_column(p->events[i].name))
            return true;
    return false;
}

bool heap_knows(const struct cprof_profile *p, const char *name)
{
    return cprof_find_event(p, name) != CPROF_NONE;
}

const struct column *heap_measure(const struct columns *columns, const char *name)
{
    const struct column *column = name ? columns_find(columns, name) : NULL;

    return column && column_adds_up(column) && heap_is_column(column->name)
               ? column
               : columns_find(columns, "Bytes");
}

static void add_row(struct heap_rows *rows, const struct cprof_profile *p,
                    const struct own_function *function, const int64_t *counts)
{
    rows->items[rows->n++] = (struct heap_row){function, counts, heap_sums_of(p, counts)};
}

void heap_rows_load(struct heap_rows *rows, const struct own *own, size_t n, size_t limit,
                    bool (*is_row)(const struct cprof_profile *p, const int64_t *counts))
{
    const struct cprof_profile *p = own->profile;

    *rows = (struct heap_rows){.items = xcalloc(n + 1, sizeof *rows->items),
                               .rest = xreallocarray(NULL, p->n_events, sizeof *rows->rest)};
    memcpy(rows->rest, p->totals, p->n_events * sizeof *rows->rest);
    for (size_t i = 0; i < n && (!limit || rows->n < limit); i++) {
        if (!is_row(p, own->items[i].charged))
            continue;
        add_row(rows, p, &own->items[i], own->items[i].charged);
        for (uint32_t e = 0; e < p->n_events; e++)
            rows->rest[e] -= own->items[i].charged[e];
    }
    if (is_row(p, rows->rest))
        add_row(rows, p, NULL, rows->rest);
}

void heap_rows_free(struct heap_rows *rows)
{
    free(rows->items);
    free(rows->rest);
}
