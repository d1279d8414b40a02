#include <config.h>

#include "table/heap.h"

#include <string.h>
#include <strings.h>

bool heap_is_counted(const struct cprof_profile *p)
{
    return cprof_find_event(p, "Allocs") != CPROF_NONE &&
           cprof_find_event(p, "PeakBytes") != CPROF_NONE;
}

bool heap_is_event(const char *name)
{
    const char *at = HEAP_EVENTS;
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
    return (struct heap_sums){
        .allocs = value(p, counts, "Allocs") + value(p, counts, "Reallocs"),
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

int64_t heap_mean(int64_t sum, int64_t allocs)
{
    return allocs > 0 ? sum / allocs + (sum % allocs * 2 >= allocs) : 0;
}
