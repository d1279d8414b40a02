#include <config.h>

/*
 * A sample is one cost record of a context: the locations from its instruction up to the root. A
 * location is an address; the functions that were inlined there are its lines, the innermost first.
 * So an inlined context has no location of its own, and the physical context of a context is the
 * nearest called one, itself or above it.
 */
#include "base/memory.h"
#include "render/export/export.h"
#include "render/export/gzip.h"
#include "render/export/pprof_places.h"
#include "render/export/valgrind_format.h"
#include "table/heap.h"

#include <stdlib.h>
#include <string.h>

/* Field numbers of profile.proto, messages Profile, ValueType and Sample. */
enum {
    PROFILE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_TIME = 9,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14
};
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };

/* bytes that are gathered before they are compressed */
enum { CHUNK = 1 << 16 };

struct writer {
    const struct cprof_profile *profile;
    struct pprof_places places;
    struct gzip *gzip;
    struct protobuf message, chunk;
    uint64_t *sites;    /* of each called context: the location of its call; 0: a root */
    uint32_t *physical; /* of each context: itself, or the context that it is inlined into */
    struct pprof_frame *frames; /* room for the longest chain of inlined frames */
    uint64_t *stack;            /* and for the deepest path */
};

static void flush(struct writer *w, size_t limit)
{
    if (w->chunk.size <= limit)
        return;
    gzip_write(w->gzip, w->chunk.bytes, w->chunk.size);
    w->chunk.size = 0;
}

/* Counts of the heap are called as readers know them from Go's heap profiles. */
static const struct type {
    const char *event, *name, *unit;
} heap_types[] = {{"Allocs", "alloc_objects", "count"},    {"Bytes", "alloc_space", "bytes"},
                  {"EndBlocks", "inuse_objects", "count"}, {"EndBytes", "inuse_space", "bytes"},
                  {"PeakBytes", "PeakBytes", "bytes"},     {"MapBytes", "MapBytes", "bytes"},
                  {"UnmapBytes", "UnmapBytes", "bytes"}};

static struct type type_of(const struct cprof_profile *p, uint32_t event)
{
    static const char *const units[] = {
        [UNIT_COUNT] = "count", [UNIT_NANOSECONDS] = "nanoseconds", [UNIT_BYTES] = "bytes"};
    const char *name = p->events[event].name;

    for (size_t i = 0; heap_is_counted(p) && i < sizeof heap_types / sizeof *heap_types; i++)
        if (!strcmp(heap_types[i].event, name))
            return heap_types[i];
    return (struct type){name, name, units[count_unit(p->events[event].long_name)]};
}

static void put_type(struct writer *w, unsigned field, uint32_t event)
{
    struct type type = type_of(w->profile, event);

    w->message.size = 0;
    protobuf_number(&w->message, TYPE_TYPE, pprof_places_string(&w->places, type.name));
    protobuf_number(&w->message, TYPE_UNIT, pprof_places_string(&w->places, type.unit));
    protobuf_bytes(&w->chunk, field, w->message.bytes, w->message.size);
}

static void put_sample(struct writer *w, const uint64_t *stack, size_t n, const int64_t *values)
{
    w->message.size = 0;
    protobuf_packed(&w->message, SAMPLE_LOCATION, stack, n);
    protobuf_packed(&w->message, SAMPLE_VALUE, (const uint64_t *)values, w->profile->n_events);
    protobuf_bytes(&w->chunk, PROFILE_SAMPLE, w->message.bytes, w->message.size);
    flush(w, CHUNK);
}

/* The location of a place in context `c`, with the contexts that it is inlined into. */
static uint64_t locate(struct writer *w, uint32_t c, uint32_t file, uint32_t line, uint64_t address)
{
    const struct cprof_context *contexts = w->profile->contexts;
    size_t n = 0;

    for (;; c = contexts[c].parent) {
        w->frames[n++] = (struct pprof_frame){contexts[c].function, file, line};
        if (c == w->physical[c])
            break;
        file = contexts[c].site_file;
        line = contexts[c].site_line;
    }
    return pprof_places_location(&w->places, w->frames, n, address);
}

/* Finds the physical context of every context and the location of its call, and makes room for the
 * stacks. */
static void prepare(struct writer *w)
{
    const struct cprof_profile *p = w->profile;
    uint32_t *depths = xcalloc(p->n_contexts, sizeof *depths), deepest = 1;

    w->sites = xcalloc(p->n_contexts, sizeof *w->sites);
    w->physical = xcalloc(p->n_contexts, sizeof *w->physical);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        bool root = c->parent == CPROF_NONE;

        depths[i] = root ? 1 : depths[c->parent] + 1;
        if (depths[i] > deepest)
            deepest = depths[i];
        w->physical[i] = c->inlined && !root ? w->physical[c->parent] : i;
    }
    free(depths);
    w->frames = xcalloc(deepest, sizeof *w->frames);
    w->stack = xcalloc((size_t)deepest + 1, sizeof *w->stack);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        if (w->physical[i] == i && c->parent != CPROF_NONE)
            w->sites[i] = locate(w, c->parent, c->site_file, c->site_line, c->site);
    }
}

static void put_paths(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    prepare(w);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        size_t n = 1;

        for (uint32_t up = w->physical[i]; c->n_costs && w->sites[up];
             up = w->physical[p->contexts[up].parent])
            w->stack[n++] = w->sites[up];
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
            const struct cprof_cost *cost = &p->context_costs[k];

            w->stack[0] = locate(w, i, cost->file, cost->line, cost->address);
            put_sample(w, w->stack, n, cprof_context_values(p, k));
        }
    }
}

/* Without call paths, every function stands alone. */
static void put_costs(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        struct pprof_frame frame = {c->function, c->file, c->line};
        uint64_t location = pprof_places_location(&w->places, &frame, 1, c->address);

        put_sample(w, &location, 1, cprof_cost_values(p, i));
    }
}

/* Writes the fields beside samples: types, the period (every event is counted), time, command. */
static void put_header(struct writer *w, const struct export *e)
{
    const struct cprof_profile *p = w->profile;
    uint32_t event = e->measure->n_terms == 1 && e->measure->terms[0].value < p->n_events
                         ? e->measure->terms[0].value
                         : 0;

    for (uint32_t i = 0; i < p->n_events; i++)
        put_type(w, PROFILE_TYPE, i);
    put_type(w, PROFILE_PERIOD_TYPE, event);
    protobuf_number(&w->chunk, PROFILE_PERIOD, 1);
    protobuf_number(&w->chunk, PROFILE_TIME, (uint64_t)e->time * 1000000000);
    protobuf_number(&w->chunk, PROFILE_DEFAULT_TYPE,
                    pprof_places_string(&w->places, type_of(p, event).name));
    if (p->command || p->n_arguments) {
        char *command = valgrind_command_text(p);

        protobuf_number(&w->chunk, PROFILE_COMMENT, pprof_places_string(&w->places, command));
        free(command);
    }
}

int export_pprof(const struct export *e, FILE *out)
{
    struct writer w = {.profile = e->rows->profile, .gzip = gzip_new(out)};
    int status;

    pprof_places_load(&w.places, e->rows);
    put_header(&w, e);
    if (w.profile->n_contexts)
        put_paths(&w);
    else
        put_costs(&w);
    pprof_places_put(&w.places, &w.chunk);
    flush(&w, 0);
    status = gzip_close(w.gzip);
    pprof_places_free(&w.places);
    protobuf_free(&w.message);
    protobuf_free(&w.chunk);
    free(w.sites);
    free(w.physical);
    free(w.frames);
    free(w.stack);
    return status;
}
