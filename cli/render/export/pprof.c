#include <config.h>

#include "render/export/pprof.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "render/export/export.h"
#include "render/export/pool.h"
#include "render/text/text.h"
#include "table/heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/*--- A compressed stream: no name and no time are in its header ---*/

struct gzip {
    z_stream stream;
    FILE *out;
    unsigned char buffer[1 << 16];
};

enum { WINDOW_GZIP = 15 + 16, MEMORY = 8 }; /* deflateInit2: with a gzip header; the default */

static struct gzip *gzip_new(FILE *out)
{
    struct gzip *g = xcalloc(1, sizeof *g);

    g->out = out;
    if (deflateInit2(&g->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_GZIP, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        memory_die();
    return g;
}

static void deflate_all(struct gzip *g, int flush)
{
    do {
        g->stream.next_out = g->buffer;
        g->stream.avail_out = sizeof g->buffer;
        deflate(&g->stream, flush);
        fwrite(g->buffer, 1, sizeof g->buffer - g->stream.avail_out, g->out);
    } while (g->stream.avail_out == 0);
}

static void gzip_write(struct gzip *g, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;

    while (size) {
        size_t now = size < (1u << 30) ? size : 1u << 30;

        g->stream.next_in = (unsigned char *)next;
        g->stream.avail_in = (unsigned)now;
        deflate_all(g, Z_NO_FLUSH);
        next += now;
        size -= now;
    }
}

/* Writes the end and frees. Returns 0, or -1 with errno where writing failed. */
static int gzip_close(struct gzip *g)
{
    FILE *out = g->out;

    g->stream.avail_in = 0;
    deflate_all(g, Z_FINISH);
    deflateEnd(&g->stream);
    free(g);
    return ferror(out) ? -1 : 0;
}

/*--- Protocol buffers ---*/

enum { WIRE_VARINT = 0, WIRE_BYTES = 2, VARINT_MAX = 10 };

static unsigned char *reserve(struct protobuf *p, size_t size)
{
    if (p->size + size > p->room) {
        p->room = (p->size + size) * 2;
        p->bytes = xreallocarray(p->bytes, p->room, 1);
    }
    return p->bytes + p->size;
}

/* Writes seven bits a byte, the lowest first; the top bit says that more follow. */
static void put_varint(struct protobuf *p, uint64_t value)
{
    unsigned char *end = reserve(p, VARINT_MAX);

    for (; value > 0x7f; value >>= 7)
        *end++ = (unsigned char)(value | 0x80);
    *end++ = (unsigned char)value;
    p->size = (size_t)(end - p->bytes);
}

static size_t varint_size(uint64_t value)
{
    size_t size = 1;

    for (; value > 0x7f; value >>= 7)
        size++;
    return size;
}

void protobuf_number(struct protobuf *p, unsigned field, uint64_t value)
{
    if (!value)
        return;
    put_varint(p, field << 3 | WIRE_VARINT);
    put_varint(p, value);
}

/* Adds fields of a message that was written elsewhere. */
static void protobuf_append(struct protobuf *p, const void *bytes, size_t size)
{
    if (size)
        memcpy(reserve(p, size), bytes, size);
    p->size += size;
}

void protobuf_bytes(struct protobuf *p, unsigned field, const void *bytes, size_t size)
{
    put_varint(p, field << 3 | WIRE_BYTES);
    put_varint(p, size);
    protobuf_append(p, bytes, size);
}

void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *values, size_t n)
{
    size_t size = 0;

    if (!n)
        return;
    for (size_t i = 0; i < n; i++)
        size += varint_size(values[i]);
    put_varint(p, field << 3 | WIRE_BYTES);
    put_varint(p, size);
    for (size_t i = 0; i < n; i++)
        put_varint(p, values[i]);
}

void protobuf_free(struct protobuf *p)
{
    free(p->bytes);
    *p = (struct protobuf){.size = 0};
}

/*--- Places ---*/

/*
 * The tables of a pprof profile that its samples refer to: strings, functions,
 * mappings and locations, each thing once.
 *
 * Numbers are the format's: strings count from 0, the empty one; all else from 1.
 */

struct pprof_places {
    const struct cprof_profile *profile;
    struct labels labels;
    struct pool strings, functions, locations;
    struct pprof_function { /* of each function: its number with the last file that it was in */
        uint32_t file;
        uint64_t number; /* 0: none yet */
    } * numbered;
    uint64_t *ends; /* of each object: the highest used address, plus 1; 0: unused */
    struct protobuf scratch, location, line;
};

/* A place in a function, as one of the lines of a location. */
struct pprof_frame {
    uint32_t function;
    uint32_t file, line; /* CPROF_NONE, 0: not known */
};

static uint64_t pprof_places_string(struct pprof_places *p, const char *text)
{
    char *data = text_utf8(text);
    uint64_t number = pool_add(&p->strings, data, strlen(data));

    free(data);
    return number;
}

/* Field numbers of profile.proto, messages Profile, Mapping, Location, Line and Function. */
enum { PROFILE_MAPPING = 3, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5, PROFILE_STRINGS = 6 };
enum {
    MAPPING_ID = 1,
    MAPPING_LIMIT = 3,
    MAPPING_FILE = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_INLINED = 10
};
enum { LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { MESSAGE_ID = 1 }; /* of locations and functions */
enum { FUNCTION_NAME = 2, FUNCTION_SYSTEM = 3, FUNCTION_FILE = 4, FUNCTION_LINE = 5 };

enum { PAGE = 4096 };

static void pprof_places_load(struct pprof_places *p, const struct rows *rows)
{
    *p = (struct pprof_places){.profile = rows->profile};
    labels_load(&p->labels, rows, text_utf8);
    p->ends = xcalloc(rows->profile->n_objects, sizeof *p->ends);
    p->numbered = xcalloc(rows->profile->n_functions, sizeof *p->numbered);
    pprof_places_string(p, "");
}

static void pprof_places_free(struct pprof_places *p)
{
    labels_free(&p->labels);
    pool_free(&p->strings);
    pool_free(&p->functions);
    pool_free(&p->locations);
    protobuf_free(&p->scratch);
    protobuf_free(&p->location);
    protobuf_free(&p->line);
    free(p->ends);
    free(p->numbered);
}

/* The number of a function. Functions of pprof have one file each: a function with lines in two
 * files is two. */
static uint64_t function_number(struct pprof_places *p, uint32_t function, uint32_t file)
{
    const struct cprof_function *f = &p->profile->functions[function];
    const char *label = p->labels.items[function];
    struct pprof_function *numbered = &p->numbered[function];
    struct protobuf *message = &p->scratch;

    if (file == CPROF_NONE)
        file = f->file;
    if (numbered->number && numbered->file == file)
        return numbered->number;
    message->size = 0;
    protobuf_number(message, FUNCTION_NAME, pprof_places_string(p, label));
    protobuf_number(message, FUNCTION_SYSTEM,
                    pprof_places_string(p, f->mangled ? f->mangled : label));
    if (file != CPROF_NONE)
        protobuf_number(message, FUNCTION_FILE, pprof_places_string(p, p->profile->files[file]));
    protobuf_number(message, FUNCTION_LINE, file == f->file ? f->line : 0);
    *numbered =
        (struct pprof_function){file, pool_add(&p->functions, message->bytes, message->size) + 1};
    return numbered->number;
}

/* The location of `n` frames, the innermost first: all but the last are inlined. `address` is in
 * the object of the last one's function; 0: not known. */
static uint64_t pprof_places_location(struct pprof_places *p, const struct pprof_frame *frames,
                                      size_t n, uint64_t address)
{
    uint32_t object = p->profile->functions[frames[n - 1].function].object;
    struct protobuf *message = &p->location;

    message->size = 0;
    if (object != CPROF_NONE) {
        if (p->ends[object] <= address)
            p->ends[object] = address + 1;
        protobuf_number(message, LOCATION_MAPPING, (uint64_t)object + 1);
        protobuf_number(message, LOCATION_ADDRESS, address);
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t function = function_number(p, frames[i].function, frames[i].file);

        p->line.size = 0;
        protobuf_number(&p->line, LINE_FUNCTION, function);
        protobuf_number(&p->line, LINE_LINE, frames[i].line);
        protobuf_bytes(message, LOCATION_LINE, p->line.bytes, p->line.size);
    }
    return pool_add(&p->locations, message->bytes, message->size) + 1;
}

/* Writes a mapping. Addresses are the object's own, as if it were loaded at 0. */
static void put_mapping(struct pprof_places *p, uint32_t object, struct protobuf *profile)
{
    const struct cprof_object *o = &p->profile->objects[object];
    struct protobuf *message = &p->scratch;

    message->size = 0;
    protobuf_number(message, MAPPING_ID, (uint64_t)object + 1);
    protobuf_number(message, MAPPING_LIMIT, (p->ends[object] + PAGE - 1) / PAGE * PAGE);
    protobuf_number(message, MAPPING_FILE, pprof_places_string(p, o->path));
    if (o->build_id)
        protobuf_number(message, MAPPING_BUILD_ID, pprof_places_string(p, o->build_id));
    /* Functions, files, lines, inlined frames: nothing is left for pprof to look up. */
    for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINED; field++)
        protobuf_number(message, field, 1);
    protobuf_bytes(profile, PROFILE_MAPPING, message->bytes, message->size);
}

/* Writes the mappings of used objects. pprof takes the first one for the program. */
static void put_mappings(struct pprof_places *p, struct protobuf *profile)
{
    const struct cprof_profile *from = p->profile;
    uint32_t first = 0;

    while (first < from->n_objects && from->program &&
           (!p->ends[first] || strcmp(from->objects[first].path, from->program) != 0))
        first++;
    if (first < from->n_objects && p->ends[first])
        put_mapping(p, first, profile);
    for (uint32_t i = 0; i < from->n_objects; i++)
        if (i != first && p->ends[i])
            put_mapping(p, i, profile);
}

/* Writes a pool of messages that lack their number. */
static void put_pool(struct pprof_places *p, const struct pool *pool, unsigned field,
                     struct protobuf *profile)
{
    for (size_t i = 0; i < pool->n; i++) {
        struct protobuf *message = &p->scratch;

        message->size = 0;
        protobuf_number(message, MESSAGE_ID, i + 1);
        protobuf_append(message, pool_at(pool, i), pool->items[i].size);
        protobuf_bytes(profile, field, message->bytes, message->size);
    }
}

/* Adds all tables to the message Profile: the fields mapping, location, function and string_table.
 */
static void pprof_places_put(struct pprof_places *p, struct protobuf *profile)
{
    const struct pool *s = &p->strings;

    put_mappings(p, profile);
    put_pool(p, &p->locations, PROFILE_LOCATION, profile);
    put_pool(p, &p->functions, PROFILE_FUNCTION, profile);
    for (size_t i = 0; i < s->n; i++)
        protobuf_bytes(profile, PROFILE_STRINGS, pool_at(s, i), s->items[i].size);
}

/*
 * A sample is one cost record of a context: the locations from its instruction up to the root. A
 * location is an address; the functions that were inlined there are its lines, the innermost first.
 * So an inlined context has no location of its own, and the physical context of a context is the
 * nearest called one, itself or above it.
 */

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
        char *command = export_command(p);

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

/*--- pprof's own text report (`go tool pprof -text`) ---*/

enum { TEXT_WIDTH = 32 };

/* As pprof writes shares: 100% where only rounding misses it, two digits behind the point from 1%
 * on, and two digits at all below. */
static void format_share(char *text, int64_t part, int64_t whole)
{
    double share = whole ? 100.0 * (double)part / (double)whole : 0;

    if (fabs(share) >= 99.95 && fabs(share) <= 100.05)
        snprintf(text, TEXT_WIDTH, "  100%%");
    else if (fabs(share) >= 1)
        snprintf(text, TEXT_WIDTH, "%5.2f%%", share);
    else
        snprintf(text, TEXT_WIDTH, "%5.2g%%", share);
}

/* Code of the function is in others: all of it, or some. */
static const char *inlined_mark(const struct row *row)
{
    return row_is_inlined(row) ? " (inline)" : row->inlined ? " (partial-inline)" : "";
}

static void put_text_row(FILE *out, const char *name, const char *mark, const int64_t *costs,
                         const int64_t *sums)
{
    char flat[TEXT_WIDTH], sum[TEXT_WIDTH], cum[TEXT_WIDTH];

    format_share(flat, costs[0], sums[1]);
    format_share(sum, sums[0], sums[1]);
    format_share(cum, costs[1], sums[1]);
    fprintf(out, "%10lld %s %s %10lld %s  %s%s\n", (long long)costs[0], flat, sum,
            (long long)costs[1], cum, name, mark);
}

int export_pprof_text(const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;
    int64_t sums[2] = {0, column_value(e->measure, p->totals)}; /* so far, of all */
    bool inclusive = rows_width(p) > p->n_events;
    struct labels labels;
    char share[TEXT_WIDTH], *program = text_shown(p->program ? p->program : "");
    char *type = text_shown(e->measure->name);

    labels_load(&labels, e->rows, text_shown);
    for (size_t i = 0; i < e->rows->n; i++)
        count_add(&sums[0], column_value(e->measure, e->rows->items[i].counts));
    format_share(share, sums[0], sums[1]);
    fprintf(out, "File: %s\nType: %s\n", program, type);
    fprintf(out, "Showing nodes accounting for %lld, %s of %lld total\n", (long long)sums[0],
            share + strspn(share, " "), (long long)sums[1]);
    fprintf(out, "%10s %5s%% %5s%% %10s %5s%%\n", "flat", "flat", "sum", "cum", "cum");
    sums[0] = 0;
    for (size_t i = 0; i < e->rows->n; i++) {
        const struct row *row = &e->rows->items[i];
        int64_t costs[2]; /* own, inclusive */

        costs[0] = column_value(e->measure, row->counts);
        costs[1] = inclusive ? column_value(e->measure, row->counts + p->n_events) : costs[0];
        count_add(&sums[0], costs[0]);
        if (costs[0] || costs[1])
            put_text_row(out, labels.items[row->function], inlined_mark(row), costs, sums);
    }
    labels_free(&labels);
    free(type);
    free(program);
    return ferror(out) ? -1 : 0;
}
