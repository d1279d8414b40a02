#include <config.h>

/* Data that misses were put to. */
#include "builder_private.h"
#include "compare.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Their bytes are a number, too. */
#define LINES_MAX (INT64_MAX / CPROF_LINE_SIZE)

const char *cprof_data_kind_name(enum cprof_data_kind kind)
{
    static const char *const names[CPROF_DATA_KINDS] = {
        [CPROF_DATA_BLOCKS] = "blocks",       [CPROF_DATA_VARIABLE] = "variable",
        [CPROF_DATA_SECTION] = "section",     [CPROF_DATA_STACK] = "stack",
        [CPROF_DATA_FILE] = "file",           [CPROF_DATA_ANONYMOUS] = "anonymous",
        [CPROF_DATA_ALLOCATOR] = "allocator", [CPROF_DATA_FREE] = "free",
        [CPROF_DATA_UNKNOWN] = "unknown",     [CPROF_DATA_ALL] = "all"};

    return names[kind];
}

static int equal_datum(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_datum *x = (const struct cprof_datum *)owner + index, *y = key;

    return x->kind == y->kind && x->context == y->context && x->function == y->function &&
           x->path == y->path && x->build_id == y->build_id && x->name == y->name &&
           x->address == y->address && x->size == y->size && x->type == y->type;
}

uint32_t builder_datum(struct builder *b, const struct cprof_datum *datum)
{
    struct cprof_datum key = *datum, *new;
    uint32_t hash, found;

    if (builder_failed(b) || builder_intern(b, &key.path) || builder_intern(b, &key.build_id) ||
        builder_intern(b, &key.name))
        return CPROF_NONE;
    hash = map_hash(
        map_mix(map_mix(map_mix((uint64_t)key.kind << 32 | key.context, key.function), key.address),
                ((uintptr_t)key.path ^ (uintptr_t)key.name) + key.type));
    found = map_find(&b->data_map, hash, equal_datum, b->data.data, &key);
    if (found != MAP_NONE)
        return found;
    if (!(new = builder_push(b, &b->data, sizeof *new)))
        return CPROF_NONE;
    *new = key;
    if (map_add(&b->data_map, hash, (uint32_t)b->data.count - 1)) {
        builder_out_of_memory(b);
        return CPROF_NONE;
    }
    return (uint32_t)b->data.count - 1;
}

int builder_touch(struct builder *b, const struct cprof_touch *touch)
{
    struct cprof_touch *new;

    if (builder_failed(b))
        return -1;
    assert(touch->datum < b->data.count);
    for (int i = 0; i < CPROF_DATA_EVENTS; i++)
        if (touch->misses[i] > INT64_MAX)
            return builder_fail(b, CPROF_ERROR_RANGE, "a number of misses exceeds 2^63-1");
    if (touch->lines > LINES_MAX || touch->used > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of lines or bytes exceeds 2^63-1");
    if (!(new = builder_push(b, &b->touches, sizeof *new)))
        return -1;
    *new = *touch;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct cprof_touch *x = a, *y = b;

    COMPARE(x->datum, y->datum);
    COMPARE(x->context, y->context);
    COMPARE(x->place.function, y->place.function);
    COMPARE(x->place.file, y->place.file);
    COMPARE(x->place.line, y->place.line);
    COMPARE(x->place.address, y->place.address);
    return 0;
}

uint64_t builder_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static void add(struct cprof_touch *to, const struct cprof_touch *from)
{
    uint64_t distance = to->least > from->least ? to->least - from->least : from->least - to->least;

    to->stride = builder_divisor(builder_divisor(to->stride, from->stride), distance);
    if (from->least < to->least)
        to->least = from->least;
    if (from->size > to->size)
        to->size = from->size;
    for (int i = 0; i < CPROF_DATA_EVENTS; i++)
        to->misses[i] += from->misses[i];
    to->lines += from->lines;
    to->used += from->used;
}

/* Makes equal ones one. Returns how many are left, or -1: all misses, lines or bytes are more than
 * 2^63-1. */
static long unite(struct cprof_touch *all, size_t n)
{
    uint64_t sums[CPROF_DATA_EVENTS] = {0}, lines = 0, used = 0;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        for (int e = 0; e < CPROF_DATA_EVENTS; e++)
            if ((sums[e] += all[i].misses[e]) > INT64_MAX)
                return -1;
        if ((lines += all[i].lines) > LINES_MAX || (used += all[i].used) > INT64_MAX)
            return -1;
        if (kept && !by_place(&all[kept - 1], &all[i]))
            add(&all[kept - 1], &all[i]);
        else
            all[kept++] = all[i];
    }
    return (long)kept;
}

int builder_settle_data(struct builder *b, struct cprof_profile *p)
{
    struct cprof_touch *all = b->touches.data;
    struct arena *arena = &b->profile->arena;
    long n;

    if (b->touches.count)
        qsort(all, b->touches.count, sizeof *all, by_place);
    n = unite(all, b->touches.count);
    if (n < 0)
        return builder_fail(b, CPROF_ERROR_RANGE,
                            "a number of misses, lines or bytes exceeds 2^63-1");
    p->n_touches = (uint32_t)n;
    p->touches = arena_copy(arena, all, (size_t)n, sizeof *all);
    p->n_data = (uint32_t)b->data.count;
    p->data = arena_copy(arena, b->data.data, p->n_data, sizeof *p->data);
    return p->touches && p->data ? 0 : builder_out_of_memory(b);
}
