#include <config.h>

/* Calls to functions whose object the file leaves out: to the one of that name that is known. */
#include "builder_private.h"

#include <stdlib.h>

/* Functions that have costs or calls, by name and file. */
struct known {
    const struct cprof_function *functions;
    unsigned char *states; /* of each function */
    struct map map;
};
enum { UNKNOWN, KNOWN, NOT_UNIQUE };

static int equal_place(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_function *a = (const struct cprof_function *)owner + index, *b = key;

    return a->name == b->name && a->file == b->file;
}

static uint32_t hash_place(const struct cprof_function *f)
{
    return map_hash(map_mix(map_mix(0, (uintptr_t)f->name), f->file));
}

static uint32_t find_known(const struct known *k, const struct cprof_function *f)
{
    return map_find(&k->map, hash_place(f), equal_place, k->functions, f);
}

/* 0, or -1 when out of memory. */
static int make_known(struct known *k, uint32_t function)
{
    uint32_t before;

    if (k->states[function] != UNKNOWN)
        return 0;
    k->states[function] = KNOWN;
    before = find_known(k, &k->functions[function]);
    if (before == MAP_NONE)
        return map_add(&k->map, hash_place(&k->functions[function]), function);
    k->states[before] = NOT_UNIQUE;
    return 0;
}

static int make_all_known(struct known *k, const struct builder *b)
{
    for (uint32_t i = 0; i < b->costs.count; i++)
        if (make_known(k, ((const struct cprof_cost *)b->costs.keys)[i].function))
            return -1;
    for (uint32_t i = 0; i < b->calls.count; i++)
        if (make_known(k, ((const struct cprof_call *)b->calls.keys)[i].caller))
            return -1;
    return 0;
}

int builder_unite_callees(struct builder *b)
{
    struct known k = {.functions = b->functions.data};
    struct cprof_call *calls = (struct cprof_call *)b->calls.keys;
    int failed;

    if (builder_failed(b))
        return -1;
    k.states = calloc((size_t)b->functions.count + 1, sizeof *k.states);
    failed = !k.states || make_all_known(&k, b);
    for (uint32_t i = 0; !failed && i < b->calls.count; i++) {
        uint32_t found;

        if (k.states[calls[i].callee] != UNKNOWN)
            continue;
        found = find_known(&k, &k.functions[calls[i].callee]);
        if (found != MAP_NONE && k.states[found] == KNOWN)
            calls[i].callee = found;
    }
    free(k.states);
    map_release(&k.map);
    return failed ? builder_out_of_memory(b) : 0;
}
