#include <config.h>

/* Cost records of a raw profile, made of its basic blocks' counts. */
#include "cprof_internal.h"
#include "error.h"
#include "profile.h"
#include "raw.h"

#include <stdlib.h>

/*--- Blocks ---*/

/* The index of the cost record of an address that ran: mostly it follows the one before. */
static uint32_t find_cost(const struct cprof_profile *p, uint32_t function, uint64_t address,
                          uint32_t before)
{
    const struct cprof_cost *next = &p->costs[before + 1];

    return before + 1 < p->n_costs && next->function == function && next->address == address
               ? before + 1
               : profile_find_cost(p, function, address);
}

static void make_blocks(struct raw *w, const struct cprof_profile *p, struct block *blocks,
                        struct block_instruction *instructions)
{
    const struct raw_block *from = w->blocks.data;
    const struct raw_instruction *in = w->instructions.data;
    const int64_t *sums = w->sums.data;
    uint32_t cost = 0;
    size_t n = 0;

    for (size_t i = 0; i < w->blocks.count; i++) {
        uint32_t function = ((const struct raw_object *)w->objects.data)[from[i].object].function;

        blocks[i] = (struct block){n, sums[i] ? from[i].size : 0};
        for (size_t k = from[i].first; k < from[i].first + blocks[i].size; k++) {
            cost = find_cost(p, function, in[k].address, cost);
            instructions[n].cost = cost;
            memcpy(instructions[n++].counts, in[k].counts, sizeof in[k].counts);
        }
    }
}

static void make_misses(struct raw *w, const struct cprof_profile *p, struct block_miss *misses)
{
    const struct raw_miss *from = w->misses.data;
    uint32_t cost = 0;

    for (size_t i = 0; i < w->misses.count; i++) {
        uint32_t function = ((const struct raw_object *)w->objects.data)[from[i].object].function;

        cost = find_cost(p, function, from[i].address, cost);
        misses[i] = (struct block_miss){from[i].context, cost};
    }
}

struct blocks raw_blocks(const struct raw *w)
{
    struct blocks s = {.n_blocks = w->blocks.count,
                       .n_misses = w->misses.count,
                       .runs = w->runs.data,
                       .first_runs = w->first_runs.data,
                       .large = w->large.data,
                       .miss_values = w->miss_rows.data};

    memcpy(s.events, w->spec_events, sizeof s.events);
    return s;
}

int raw_keep_blocks(struct raw *w, struct cprof_profile *profile)
{
    struct profile *p = (struct profile *)profile;
    struct blocks *s = arena_alloc(&p->arena, sizeof *s);
    struct block *blocks = malloc((w->blocks.count + 1) * sizeof *blocks);
    struct block_instruction *in = malloc((w->instructions.count + 1) * sizeof *in);
    struct block_miss *misses = malloc((w->misses.count + 1) * sizeof *misses);
    struct blocks kept;
    void *memory[] = {blocks,           in, misses, w->runs.data, w->first_runs.data, w->large.data,
                      w->miss_rows.data};

    _Static_assert(sizeof memory == sizeof p->block_memory, "memory");
    memcpy(p->block_memory, memory, sizeof memory);
    kept = raw_blocks(w);
    w->runs.data = w->first_runs.data = w->large.data = w->miss_rows.data = NULL;
    if (!s || !blocks || !in || !misses)
        return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
    make_blocks(w, profile, blocks, in);
    make_misses(w, profile, misses);
    kept.blocks = blocks;
    kept.instructions = in;
    kept.misses = misses;
    *s = kept;
    p->blocks = s;
    return 0;
}

const struct blocks *profile_blocks(const struct cprof_profile *profile)
{
    return ((const struct profile *)profile)->blocks;
}

/*--- Expanding ---*/

static int equal_name(const void *owner, uint32_t index, const void *key)
{
    const struct raw_name *a = (const struct raw_name *)owner + index, *b = key;

    return a->object == b->object && a->address == b->address;
}

static uint32_t hash_name(const struct raw_name *key)
{
    return map_hash(map_mix(map_mix(0, key->object), key->address));
}

int raw_add_name(struct raw *w, uint32_t object, uint64_t address, const char *name)
{
    const struct raw_object *o = (const struct raw_object *)w->objects.data + object;
    struct raw_name key = {.address = address, .object = object}, *new;
    uint32_t hash = hash_name(&key);

    if (map_find(&w->name_map, hash, equal_name, w->names.data, &key) != MAP_NONE)
        return 0;
    /* With samples it is the function itself, and contexts are of it. */
    key.function = builder_header(w->r.builder)->sampled
                       ? raw_named_function(w, o->object, address, name)
                       : builder_function(w->r.builder, name, NULL, o->object, CPROF_NONE, 0);
    if (key.function == CPROF_NONE || w->names.count == MAP_NONE - 1 ||
        !(new = raw_push(w, &w->names, sizeof *new)))
        return -1;
    *new = key;
    if (map_add(&w->name_map, hash, (uint32_t)w->names.count - 1))
        return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
    return 0;
}

/* The function of an address: the one named there, or the object's "???". */
uint32_t raw_place_function(struct raw *w, uint32_t object, uint64_t address)
{
    struct raw_object *o = (struct raw_object *)w->objects.data + object;
    struct raw_name key = {.address = address, .object = object};
    uint32_t found = w->names.count
                         ? map_find(&w->name_map, hash_name(&key), equal_name, w->names.data, &key)
                         : MAP_NONE;

    if (found != MAP_NONE)
        return ((const struct raw_name *)w->names.data)[found].function;
    if (o->function == CPROF_NONE)
        o->function = builder_function(w->r.builder, "???", NULL, o->object, CPROF_NONE, 0);
    return o->function;
}

/* Adds to the cost of an instruction, in a context or (CPROF_NONE) in the whole program. */
static int book(struct raw *w, uint32_t context, uint32_t object, uint64_t address,
                const int64_t *row)
{
    struct cprof_cost cost = {
        .function = raw_place_function(w, object, address), .file = CPROF_NONE, .address = address};

    if (cost.function == CPROF_NONE)
        return -1;
    return context == CPROF_NONE ? builder_cost(w->r.builder, &cost, row)
                                 : builder_context_cost(w->r.builder, context, &cost, row);
}

/* Books `count` executions of a basic block. */
static int expand_block(struct raw *w, uint32_t context, const struct raw_block *block,
                        int64_t count)
{
    const struct raw_instruction *in = w->instructions.data;

    for (size_t i = block->first; i < block->first + block->size; i++) {
        memset(w->r.row, 0, w->r.n_events * sizeof *w->r.row);
        for (size_t k = 0; k < BLOCK_EVENTS; k++) {
            uint32_t event = w->spec_events[k];
            if (event != CPROF_NONE &&
                __builtin_mul_overflow(count, in[i].counts[k], &w->r.row[event]))
                return error_set(w->r.error, CPROF_ERROR_RANGE,
                                 "a count of a basic block exceeds 2^63-1");
        }
        if (book(w, context, block->object, in[i].address, w->r.row))
            return -1;
    }
    return 0;
}

static int expand_miss(struct raw *w, uint32_t context, size_t i)
{
    const struct raw_miss *miss = (const struct raw_miss *)w->misses.data + i;

    return book(w, context, miss->object, miss->address,
                (const int64_t *)w->miss_rows.data + i * w->r.n_events);
}

/* Books the basic blocks of one context; `index` is the builder's. */
static int expand_runs(struct raw *w, const struct blocks *s, uint32_t context, uint32_t index)
{
    const struct raw_block *blocks = w->blocks.data;
    const struct block_run *run = blocks_first(s, context), *end = blocks_end(s, context);

    for (; run < end; run = block_next(run))
        for (uint32_t i = 0; i < run->size; i++) {
            int64_t count = block_count(s, run, i);
            if (count && expand_block(w, index, &blocks[run->first + i], count))
                return -1;
        }
    return 0;
}

/* Books the counts of all contexts, one after the other: runs and misses are in that order. */
static int expand_contexts(struct raw *w)
{
    struct blocks s = raw_blocks(w);
    const struct raw_miss *misses = w->misses.data;
    const uint32_t *indices = w->contexts.data;
    size_t miss = 0;

    for (uint32_t context = 0; context < w->n_contexts; context++) {
        if (expand_runs(w, &s, context, indices[context]))
            return -1;
        for (; miss < w->misses.count && misses[miss].context == context; miss++)
            if (expand_miss(w, indices[context], miss))
                return -1;
    }
    return 0;
}

/* The program's costs come from the sums of its basic blocks, not from its contexts: the blocks are
 * far fewer. */
int raw_expand(struct raw *w, int contexts)
{
    const struct raw_block *blocks = w->blocks.data;
    const int64_t *sums = w->sums.data;

    if (w->n_contexts) {
        builder_costs_apart(w->r.builder);
        /* `runs` is never NULL, even with no run at all. */
        if (raw_reserve(w, &w->runs, 1, sizeof(uint32_t)) || raw_begin_counts(w) ||
            (contexts && expand_contexts(w)))
            return -1;
    }
    for (size_t i = 0; i < w->blocks.count; i++)
        if (sums[i] && expand_block(w, CPROF_NONE, &blocks[i], sums[i]))
            return -1;
    for (size_t i = 0; i < w->misses.count; i++)
        if (expand_miss(w, CPROF_NONE, i))
            return -1;
    return 0;
}
