#include <config.h>

/* The reader of gperftools' files, of processor and heap, and of jemalloc's. */
#include "error.h"
#include "gperf.h"

#include <stdlib.h>

int gperf_is_kind(const char *at, size_t size)
{
    return gperf_is_cpu(at, size) || gperf_is_heap(at, size) || gperf_is_jemalloc(at, size);
}

static int read_all(struct reader *r)
{
    struct gperf *g = (struct gperf *)r;
    size_t size;
    const char *bytes = input_whole(r->in, &size);

    if (!bytes || sampled_begin(&g->s, size))
        return -1;
    if (gperf_is_heap(bytes, size))
        return gperf_read_heap(g, bytes, size);
    if (gperf_is_jemalloc(bytes, size))
        return gperf_read_jemalloc(g, bytes, size);
    return gperf_is_cpu(bytes, size)
               ? gperf_read_cpu(g, bytes, size)
               : error_set(r->error, CPROF_ERROR_FOREIGN, "not a profile of gperftools");
}

struct cprof_profile *gperf_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct gperf *g = reader_new(sizeof *g, error);
    struct cprof_profile *profile;

    if (!g)
        return NULL;
    profile = reader_run(&g->s.r, in, flags, error, CPROF_FORMAT_GPERFTOOLS, read_all);
    free(g->mappings.data);
    free(g->places.data);
    map_release(&g->place_map);
    free(g->stack.data);
    sampled_free(&g->s);
    return profile;
}
