#include <config.h>

#include "builder.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "map.h"
#include "profile.h"
#include "table.h"

/* A growing array of elements of `size` bytes. */
struct vector {
    void *data;
    size_t size;
    uint32_t count, room;
};

struct text {
    const char *bytes; /* in the arena */
    size_t size;
};

/*
 * Primary data structures: the profile that will be handed over (header fields are set in place),
 * and vectors of everything in it with maps that find equal elements. Texts are interned first, so
 * that all other equality is that of pointers and indices.
 */
struct builder {
    struct cprof_error *error;
    struct profile *profile;
    uint64_t seed;
    struct vector texts, events, objects, files, functions;
    struct vector arguments, descriptions, caches, parts, warnings;
    struct map text_map, object_map, file_map, function_map;
    struct table costs, calls;
    int64_t *summary; /* one per event, or NULL */
};

static int fail(struct builder *b, enum cprof_code code, const char *text)
{
    return error_set(b->error, code, "%s", text);
}

static int out_of_memory(struct builder *b)
{
    return fail(b, CPROF_ERROR_MEMORY, "out of memory");
}

static int failed(const struct builder *b)
{
    return b->error->code != CPROF_OK;
}

/* A new element at the end of `v`, not cleared; NULL with the error set. */
static void *push(struct builder *b, struct vector *v)
{
    if (v->count == v->room) {
        uint32_t room = v->room ? v->room * 2 : 16;
        void *data = NULL;
        if (v->room < UINT32_MAX / 4 && room < SIZE_MAX / v->size)
            data = realloc(v->data, room * v->size);
        if (!data) {
            out_of_memory(b);
            return NULL;
        }
        v->data = data;
        v->room = room;
    }
    return (char *)v->data + v->count++ * v->size;
}

/* Records */

static uint32_t cost_bucket(const void *key)
{
    return ((const struct cprof_cost *)key)->function;
}

static int compare_site(uint32_t file_a, uint32_t file_b, uint32_t line_a, uint32_t line_b,
                        uint64_t address_a, uint64_t address_b)
{
    if (file_a != file_b)
        return file_a < file_b ? -1 : 1;
    if (line_a != line_b)
        return line_a < line_b ? -1 : 1;
    return address_a == address_b ? 0 : address_a < address_b ? -1 : 1;
}

static int cost_compare(const void *key_a, const void *key_b)
{
    const struct cprof_cost *a = key_a, *b = key_b;

    return compare_site(a->file, b->file, a->line, b->line, a->address, b->address);
}

static uint32_t call_bucket(const void *key)
{
    return ((const struct cprof_call *)key)->caller;
}

static int call_compare(const void *key_a, const void *key_b)
{
    const struct cprof_call *a = key_a, *b = key_b;

    if (a->callee != b->callee)
        return a->callee < b->callee ? -1 : 1;
    return compare_site(a->file, b->file, a->line, b->line, a->address, b->address);
}

static int call_merge(void *into, const void *from)
{
    struct cprof_call *to = into;
    uint64_t sum = to->count + ((const struct cprof_call *)from)->count;

    if (sum > INT64_MAX)
        return -1;
    to->count = sum;
    return 0;
}

static const struct table_class cost_class = {
    .key_size = sizeof(struct cprof_cost),
    .bucket = cost_bucket,
    .compare = cost_compare,
};
static const struct table_class call_class = {
    .key_size = sizeof(struct cprof_call),
    .bucket = call_bucket,
    .compare = call_compare,
    .merge = call_merge,
};

static int report_table(struct builder *b, enum table_result result)
{
    if (result == TABLE_OK)
        return 0;
    if (result == TABLE_MEMORY)
        return out_of_memory(b);
    return fail(b, CPROF_ERROR_RANGE, "a sum of counts exceeds 2^63-1");
}

/* Life cycle */

struct builder *builder_new(struct cprof_error *error)
{
    struct builder *b = calloc(1, sizeof *b);

    if (b)
        b->profile = calloc(1, sizeof *b->profile);
    if (!b || !b->profile) {
        free(b);
        error_set(error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    b->error = error;
    b->seed = (uintptr_t)b;
    b->texts.size = sizeof(struct text);
    b->events.size = sizeof(struct cprof_event);
    b->objects.size = sizeof(struct cprof_object);
    b->files.size = b->arguments.size = b->descriptions.size = sizeof(const char *);
    b->functions.size = sizeof(struct cprof_function);
    b->caches.size = sizeof(struct cprof_cache);
    b->parts.size = sizeof(struct cprof_part);
    b->warnings.size = sizeof(struct cprof_warning);
    b->costs.class = &cost_class;
    b->calls.class = &call_class;
    b->profile->public.pid = -1;
    return b;
}

void builder_free(struct builder *b)
{
    if (!b)
        return;
    struct vector *vectors[] = {&b->texts,     &b->events,      &b->objects, &b->files,
                                &b->functions, &b->arguments,   &b->caches,  &b->parts,
                                &b->warnings,  &b->descriptions};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]->data);
    map_release(&b->text_map);
    map_release(&b->object_map);
    map_release(&b->file_map);
    map_release(&b->function_map);
    table_release(&b->costs);
    table_release(&b->calls);
    free(b->summary);
    if (b->profile)
        cprof_free(&b->profile->public);
    free(b);
}

/* Texts and the header */

static int equal_text(const void *owner, uint32_t index, const void *key)
{
    const struct text *a = (const struct text *)owner + index, *b = key;

    return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

const char *builder_text(struct builder *b, const char *text, size_t size)
{
    struct text key = {text, size}, *new;
    uint32_t hash, found;

    if (failed(b))
        return NULL;
    hash = map_hash_bytes(text, size, b->seed);
    found = map_find(&b->text_map, hash, equal_text, b->texts.data, &key);
    if (found != MAP_NONE)
        return ((struct text *)b->texts.data)[found].bytes;
    new = push(b, &b->texts);
    if (!new)
        return NULL;
    new->size = size;
    new->bytes = arena_text(&b->profile->arena, text, size);
    if (!new->bytes || map_add(&b->text_map, hash, b->texts.count - 1)) {
        b->texts.count--;
        out_of_memory(b);
        return NULL;
    }
    return new->bytes;
}

struct cprof_profile *builder_header(struct builder *b)
{
    return &b->profile->public;
}

/* Interns `text`, which may be NULL. -1 on failure. */
static int intern(struct builder *b, const char **text)
{
    if (failed(b))
        return -1;
    if (!*text)
        return 0;
    *text = builder_text(b, *text, strlen(*text));
    return *text ? 0 : -1;
}

static int push_text(struct builder *b, struct vector *v, const char *text)
{
    const char **new;

    if (intern(b, &text) || !(new = push(b, v)))
        return -1;
    *new = text;
    return 0;
}

int builder_argument(struct builder *b, const char *text)
{
    return push_text(b, &b->arguments, text);
}

int builder_description(struct builder *b, const char *text)
{
    return push_text(b, &b->descriptions, text);
}

int builder_cache(struct builder *b, const struct cprof_cache *cache)
{
    struct cprof_cache copy = *cache, *new;

    if (intern(b, &copy.name) || intern(b, &copy.text) || !(new = push(b, &b->caches)))
        return -1;
    *new = copy;
    return 0;
}

int builder_part(struct builder *b, const struct cprof_part *part)
{
    struct cprof_part copy = *part, *new;

    if (intern(b, &copy.trigger) || intern(b, &copy.timerange) || !(new = push(b, &b->parts)))
        return -1;
    *new = copy;
    return 0;
}

/* Events */

uint32_t builder_event(struct builder *b, const char *name)
{
    struct cprof_event *events = b->events.data, *new;
    uint32_t count = b->events.count;

    if (intern(b, &name))
        return CPROF_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (events[i].name == name)
            return i;
    if (report_table(b, table_widen(&b->costs, count + 1)) ||
        report_table(b, table_widen(&b->calls, count + 1)))
        return CPROF_NONE;
    if (b->summary) {
        int64_t *wider = realloc(b->summary, (count + 1) * sizeof *wider);
        if (!wider) {
            out_of_memory(b);
            return CPROF_NONE;
        }
        b->summary = wider;
        wider[count] = 0;
    }
    new = push(b, &b->events);
    if (!new)
        return CPROF_NONE;
    *new = (struct cprof_event){.name = name};
    return count;
}

uint32_t builder_find_event(const struct builder *b, const char *name)
{
    const struct cprof_event *events = b->events.data;

    for (uint32_t i = 0; i < b->events.count; i++)
        if (!strcmp(events[i].name, name))
            return i;
    return CPROF_NONE;
}

int builder_event_describe(struct builder *b, uint32_t event, const char *long_name,
                           const char *formula)
{
    struct cprof_event *events = b->events.data;

    if (intern(b, &long_name) || intern(b, &formula))
        return -1;
    assert(event < b->events.count);
    events[event].long_name = long_name;
    events[event].formula = formula;
    return 0;
}

/* Names */

static int equal_object(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_object *a = (const struct cprof_object *)owner + index, *b = key;

    return a->path == b->path && a->build_id == b->build_id;
}

static int equal_file(const void *owner, uint32_t index, const void *key)
{
    return ((const char *const *)owner)[index] == *(const char *const *)key;
}

static int equal_function(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_function *a = (const struct cprof_function *)owner + index, *b = key;

    return a->name == b->name && a->mangled == b->mangled && a->object == b->object &&
           a->file == b->file;
}

/* The index of the element equal to `*key`, added if there is none. */
static uint32_t unique(struct builder *b, struct vector *v, struct map *m, uint64_t mixed,
                       map_equal *equal, const void *key)
{
    uint32_t hash = map_hash(mixed), found = map_find(m, hash, equal, v->data, key);
    void *new;

    if (found != MAP_NONE)
        return found;
    new = push(b, v);
    if (!new)
        return CPROF_NONE;
    memcpy(new, key, v->size);
    if (map_add(m, hash, v->count - 1)) {
        out_of_memory(b);
        return CPROF_NONE;
    }
    return v->count - 1;
}

uint32_t builder_object(struct builder *b, const char *path, const char *build_id)
{
    struct cprof_object key = {path, build_id};

    if (intern(b, &key.path) || intern(b, &key.build_id))
        return CPROF_NONE;
    return unique(b, &b->objects, &b->object_map,
                  map_mix(map_mix(0, (uintptr_t)key.path), (uintptr_t)key.build_id), equal_object,
                  &key);
}

uint32_t builder_file(struct builder *b, const char *path)
{
    if (intern(b, &path))
        return CPROF_NONE;
    return unique(b, &b->files, &b->file_map, map_mix(0, (uintptr_t)path), equal_file, &path);
}

uint32_t builder_function(struct builder *b, const char *name, const char *mangled, uint32_t object,
                          uint32_t file, uint32_t line)
{
    struct cprof_function key = {
        .name = name, .mangled = mangled, .object = object, .file = file, .line = line};
    uint64_t mixed;

    if (intern(b, &key.name) || intern(b, &key.mangled))
        return CPROF_NONE;
    assert(object == CPROF_NONE || object < b->objects.count);
    assert(file == CPROF_NONE || file < b->files.count);
    mixed = map_mix(map_mix(0, (uintptr_t)key.name), (uintptr_t)key.mangled);
    mixed = map_mix(mixed, (uint64_t)object << 32 | file);
    return unique(b, &b->functions, &b->function_map, mixed, equal_function, &key);
}

/* Counts */

int builder_cost(struct builder *b, const struct cprof_cost *cost, const int64_t *values)
{
    if (failed(b))
        return -1;
    assert(cost->function < b->functions.count);
    assert(cost->file == CPROF_NONE || cost->file < b->files.count);
    return report_table(b, table_add(&b->costs, cost, values, b->functions.count));
}

int builder_call(struct builder *b, const struct cprof_call *call, const int64_t *values)
{
    if (failed(b))
        return -1;
    assert(call->caller < b->functions.count && call->callee < b->functions.count);
    assert(call->file == CPROF_NONE || call->file < b->files.count);
    if (call->count > INT64_MAX)
        return fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    return report_table(b, table_add(&b->calls, call, values, b->functions.count));
}

int builder_summary(struct builder *b, const int64_t *values)
{
    uint32_t count = b->events.count;

    if (failed(b))
        return -1;
    if (!b->summary) {
        b->summary = calloc((size_t)count + 1, sizeof *b->summary);
        if (!b->summary)
            return out_of_memory(b);
    }
    return table_add_row(b->summary, values, count) ? report_table(b, TABLE_OVERFLOW) : 0;
}

int builder_warn(struct builder *b, unsigned long line, const char *format, ...)
{
    struct cprof_warning *warnings = b->warnings.data, *new;
    char text[256];
    va_list arguments;
    const char *copy = text;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (intern(b, &copy))
        return -1;
    for (uint32_t i = 0; i < b->warnings.count; i++)
        if (warnings[i].text == copy) {
            warnings[i].count++;
            return 0;
        }
    new = push(b, &b->warnings);
    if (!new)
        return -1;
    *new = (struct cprof_warning){.line = line, .count = 1, .text = copy};
    return 0;
}

/* Handing over */

/* Moves a vector's elements into the profile's arena. NULL with the error set. */
static const void *settle(struct builder *b, const struct vector *v, uint32_t *count)
{
    const void *copy =
        failed(b) ? NULL : arena_copy(&b->profile->arena, v->data, v->count, v->size);

    if (!copy)
        out_of_memory(b);
    *count = v->count;
    return copy;
}

static void settle_vectors(struct builder *b, struct cprof_profile *p)
{
    p->events = settle(b, &b->events, &p->n_events);
    p->objects = settle(b, &b->objects, &p->n_objects);
    p->files = settle(b, &b->files, &p->n_files);
    p->functions = settle(b, &b->functions, &p->n_functions);
    p->arguments = settle(b, &b->arguments, &p->n_arguments);
    p->descriptions = settle(b, &b->descriptions, &p->n_descriptions);
    p->caches = settle(b, &b->caches, &p->n_caches);
    p->parts = settle(b, &b->parts, &p->n_parts);
    p->warnings = settle(b, &b->warnings, &p->n_warnings);
    if (b->summary && !failed(b)) {
        p->summary = arena_copy(&b->profile->arena, b->summary, p->n_events, sizeof *b->summary);
        if (!p->summary)
            out_of_memory(b);
    }
}

/* Hands a table's memory to the profile. */
static void settle_table(struct profile *p, struct table *t, size_t block)
{
    p->blocks[block] = t->keys;
    p->blocks[block + 1] = t->values;
    t->keys = NULL;
    t->values = NULL;
}

static void settle_records(struct builder *b, struct cprof_profile *p)
{
    int64_t *totals;

    if (failed(b) || report_table(b, table_order(&b->costs, b->functions.count)) ||
        report_table(b, table_order(&b->calls, b->functions.count)))
        return;
    totals = arena_alloc(&b->profile->arena, (b->events.count + (size_t)1) * sizeof *totals);
    if (!totals) {
        out_of_memory(b);
        return;
    }
    p->totals = totals;
    if (report_table(b, table_sum(&b->costs, totals)))
        return;
    p->n_costs = b->costs.count;
    p->n_calls = b->calls.count;
    settle_table(b->profile, &b->costs, 0);
    settle_table(b->profile, &b->calls, 2);
    p->costs = b->profile->blocks[0];
    p->cost_values = b->profile->blocks[1];
    p->calls = b->profile->blocks[2];
    p->call_values = b->profile->blocks[3];
    for (uint32_t i = 0; i < p->n_costs; i++) {
        p->has_lines |= p->costs[i].line != 0;
        p->has_addresses |= p->costs[i].address != 0;
    }
}

struct cprof_profile *builder_finish(struct builder *b)
{
    struct cprof_profile *result = NULL;

    settle_vectors(b, &b->profile->public);
    settle_records(b, &b->profile->public);
    if (!failed(b)) {
        result = &b->profile->public;
        b->profile = NULL;
    }
    builder_free(b);
    return result;
}
