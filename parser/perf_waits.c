#include <config.h>

#include "perf_waits.h"

#include <stdlib.h>

static int equal_thread(const void *owner, uint32_t index, const void *key)
{
    return ((const struct perf_wait *)owner)[index].tid == *(const uint64_t *)key;
}

struct perf_wait *perf_waits_of(struct perf_waits *waits, uint64_t tid)
{
    uint32_t hash = map_hash(tid);
    uint32_t found = map_find(&waits->map, hash, equal_thread, waits->threads.data, &tid);
    struct perf_wait *new;

    if (found != MAP_NONE)
        return (struct perf_wait *)waits->threads.data + found;
    found = (uint32_t)waits->threads.count;
    if (!(new = vector_push(&waits->threads, sizeof *new)) || map_add(&waits->map, hash, found))
        return NULL;
    *new = (struct perf_wait){.tid = tid};
    return new;
}

void perf_waits_release(struct perf_waits *waits)
{
    free(waits->threads.data);
    map_release(&waits->map);
}
