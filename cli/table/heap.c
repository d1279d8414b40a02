#include <config.h>

#include "table/heap.h"

#include "base/counts.h"

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

bool heap_sums_are_any(const struct heap_sums *s)
{
    return s->blocks || s->bytes || s->peak_bytes || s->end_bytes;
}

bool heap_knows(const struct cprof_profile *p, const char *name)
{
    return cprof_find_event(p, name) != CPROF_NONE;
}

void heap_figures(const struct cprof_profile *p, const struct heap_sums *s, int64_t part,
                  int64_t whole, struct figure figures[HEAP_FIGURES])
{
    figures[HEAP_SHARE] = figure_percent(part, whole, 1);
    figures[HEAP_BYTES] = figure_count(s->bytes);
    figures[HEAP_BLOCKS] = figure_count(s->blocks);
    figures[HEAP_MEAN_SIZE] = figure_count(heap_mean(s->bytes, s->blocks));
    figures[HEAP_MEAN_LIFE] =
        heap_knows(p, "Life") ? figure_count(heap_mean(s->life, s->blocks)) : figure_unknown();
    figures[HEAP_TEMPORARY] =
        heap_knows(p, "Temporary") ? figure_percent(s->temporary, s->blocks, 1) : figure_unknown();
    figures[HEAP_AT_PEAK] = figure_count(s->peak_bytes);
    figures[HEAP_AT_END] = figure_count(s->end_bytes);
}

const struct column *heap_measure(const struct columns *columns, const char *name)
{
    const struct column *column = name ? columns_find(columns, name) : NULL;

    return column && column->kind == COLUMN_COUNT && heap_is_column(column->name)
               ? column
               : columns_find(columns, "Bytes");
}

int64_t heap_mean(int64_t sum, int64_t blocks)
{
    return blocks > 0 ? sum / blocks + (sum % blocks >= blocks - sum % blocks) : 0;
}
