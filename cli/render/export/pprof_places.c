#include <config.h>

#include "render/export/pprof_places.h"

#include "base/array.h"
#include "base/memory.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

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

void pprof_places_load(struct pprof_places *p, const struct rows *rows)
{
    *p = (struct pprof_places){.profile = rows->profile};
    labels_load(&p->labels, rows, text_utf8);
    p->ends = xcalloc(rows->profile->n_objects, sizeof *p->ends);
    p->numbered = xcalloc(rows->profile->n_functions, sizeof *p->numbered);
    pprof_places_string(p, "");
}

void pprof_places_free(struct pprof_places *p)
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

uint64_t pprof_places_string(struct pprof_places *p, const char *text)
{
    char *data = text_utf8(text);
    uint64_t number = pool_add(&p->strings, data, strlen(data));

    free(data);
    return number;
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

uint64_t pprof_places_location(struct pprof_places *p, const struct pprof_frame *frames, size_t n,
                               uint64_t address)
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

void pprof_places_put(struct pprof_places *p, struct protobuf *profile)
{
    const struct pool *s = &p->strings;

    put_mappings(p, profile);
    put_pool(p, &p->locations, PROFILE_LOCATION, profile);
    put_pool(p, &p->functions, PROFILE_FUNCTION, profile);
    for (size_t i = 0; i < s->n; i++)
        protobuf_bytes(profile, PROFILE_STRINGS, pool_at(s, i), s->items[i].size);
}
