#include <config.h>

#include "table/heap.h"

#include "base/memory.h"

#include <stdlib.h>
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

static bool is_allocator_method(const char *name)
{
    return strstr(name, "GlobalAlloc>::") != NULL;
}

/* True of each function that has allocations of its own: it is an allocation function. */
static bool *allocation_functions(const struct cprof_profile *p)
{
    uint32_t allocs = cprof_find_event(p, "Allocs"), reallocs = cprof_find_event(p, "Reallocs");
    bool *found = xcalloc(p->n_functions + (size_t)1, sizeof *found);

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const int64_t *counts = cprof_cost_values(p, i);

        found[p->costs[i].function] |= (allocs != CPROF_NONE && counts[allocs]) ||
                                       (reallocs != CPROF_NONE && counts[reallocs]);
    }
    return found;
}

bool *heap_callers(const struct cprof_profile *p, const bool *own)
{
    bool *callers = xcalloc(p->n_functions + (size_t)1, sizeof *callers), any = false;
    bool *allocate = allocation_functions(p);

    for (uint32_t i = 0; i < p->n_functions; i++) {
        callers[i] = own && own[i] && !allocate[i] && !is_allocator_method(p->functions[i].name);
        any |= callers[i];
    }
    for (uint32_t i = 0; i < p->n_functions && !any; i++)
        callers[i] = p->functions[i].object != CPROF_NONE && !allocate[i];
    free(allocate);
    return callers;
}
