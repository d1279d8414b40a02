#include <config.h>

/*
 * The costs of contexts. A basic block is the same in all contexts: the counts of its instructions
 * by their new names are worked out once (primary data structure: struct block_costs), and each
 * context that ran it only multiplies. Without basic blocks each cost record of a context is looked
 * up. A thread does either, batch by batch, while the builder takes the batches before.
 */

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"
#include "derive/copy.h"
#include "resolve/resolver.h"

#include <stdlib.h>
#include <string.h>

/* The new name of a raw cost, as far as it is asked for: many have the same. Keys are numbered in
 * the order of the addresses where they are found first. */
struct key {
    struct cprof_cost cost;
    uint32_t chain;
};

struct keys {
    uint32_t n, room;
    struct key *items;
    uint32_t *of_costs; /* the key of each raw cost */
    uint32_t *heap;     /* the key of what each raw cost counted of the heap */
    struct map map;
};

/*
 * The counts of one execution of each basic block, close together: basic block i has those from
 * groups[starts[i]] to groups[starts[i + 1]]. Each group is a key, and the counts of its
 * instructions for each of the `n_events` events that basic blocks count, which are `events` of the
 * profile.
 */
struct block_costs {
    uint32_t n, room;
    uint32_t *groups;
    uint32_t *starts;
    uint32_t n_events;
    int letters[BLOCK_EVENTS]; /* which of a basic block's events each is */
    uint32_t events[BLOCK_EVENTS];
};

/* A cost of a raw context, and the new context that it goes to. */
struct part {
    uint32_t key;
    uint32_t context;
    uint32_t row; /* its counts are this row of `values`; they come in that order */
};

/* Enough contexts to be worth handing over. */
enum { BATCH = 1024, N_BATCHES = WORKER_JOBS + 1 };

/* The parts of raw contexts from `first` on: those of the `n`th context end at `ends[n]`. */
struct batch {
    struct work *work;
    uint32_t first, n;
    uint32_t n_parts, room;
    struct part *parts;
    int64_t *values; /* rows of the profile's n_events */
    uint32_t ends[BATCH];
    bool inlined[BATCH]; /* some has a chain */
};

struct work {
    struct resolver *r;
    uint32_t n_events;
    struct keys keys;
    const struct blocks *from; /* what contexts ran; NULL: cost records say so */
    struct block_costs blocks;
    size_t miss; /* the one that comes next */
    struct worker worker;
    struct batch *batches; /* N_BATCHES */
};

/*--- Keys ---*/

static bool same_key(const struct key *a, const struct key *b)
{
    return a->chain == b->chain && a->cost.function == b->cost.function &&
           a->cost.file == b->cost.file && a->cost.line == b->cost.line &&
           a->cost.address == b->cost.address;
}

static int equal_key(const void *owner, uint32_t index, const void *key)
{
    return same_key((const struct key *)owner + index, key);
}

/* The number of a key; most are that of the raw cost before. */
static uint32_t number_of(struct keys *k, const struct key *key, uint32_t before)
{
    uint32_t hash, found;

    if (before != CPROF_NONE && same_key(&k->items[before], key))
        return before;
    hash = map_hash(map_mix(map_mix(key->cost.address, (uint64_t)key->cost.file << 32 | key->chain),
                            (uint64_t)key->cost.function << 32 | key->cost.line));
    found = map_find(&k->map, hash, equal_key, k->items, key);
    if (found != MAP_NONE)
        return found;
    GROW(k->items, k->n, k->room);
    k->items[k->n] = *key;
    memory_check(map_add(&k->map, hash, k->n));
    return k->n++;
}

static struct keys find_keys(const struct resolver *r)
{
    struct keys k = {.n = 0};

    k.of_costs = xreallocarray(NULL, r->raw->n_costs, sizeof *k.of_costs);
    k.heap = xreallocarray(NULL, r->raw->n_costs, sizeof *k.heap);
    for (uint32_t i = 0; i < r->raw->n_costs; i++) {
        struct key key = {resolver_cost(r, i), r->places[i].chain};
        struct key heap = {resolver_heap_cost(r, i), CHAIN_NONE};

        if (r->brief)
            key.cost.address = heap.cost.address = 0;
        k.of_costs[i] = number_of(&k, &key, i ? k.of_costs[i - 1] : CPROF_NONE);
        k.heap[i] = resolver_is_divided(r, i) ? number_of(&k, &heap, CPROF_NONE) : k.of_costs[i];
    }
    return k;
}

static void free_keys(struct keys *k)
{
    free(k->items);
    free(k->of_costs);
    free(k->heap);
    map_release(&k->map);
}

/*--- Basic blocks ---*/

/* The counts of basic block `first` (where its groups begin) for instructions of a key, made if
 * new. */
static uint32_t *add_group(struct block_costs *c, uint32_t first, uint32_t key)
{
    uint32_t size = c->n_events + 1, *group;

    for (uint32_t i = c->n; i > first; i -= size)
        if (c->groups[i - size] == key)
            return c->groups + i - size + 1;
    if (c->room - c->n < size) {
        if (c->room > UINT32_MAX / 2)
            memory_die();
        c->room = c->room ? 2 * c->room : 4096;
        c->groups = xreallocarray(c->groups, c->room, sizeof *c->groups);
    }
    group = c->groups + c->n;
    c->n += size;
    group[0] = key;
    memset(group + 1, 0, c->n_events * sizeof *group);
    return group + 1;
}

static void find_events(struct block_costs *c, const struct blocks *s)
{
    for (int e = 0; e < BLOCK_EVENTS; e++)
        if (s->events[e] != CPROF_NONE) {
            c->letters[c->n_events] = e;
            c->events[c->n_events++] = s->events[e];
        }
}

static void find_block_costs(struct work *w)
{
    const struct blocks *s = w->from;
    struct block_costs *c = &w->blocks;

    find_events(c, s);
    c->starts = xreallocarray(NULL, s->n_blocks + 1, sizeof *c->starts);
    for (size_t i = 0; i < s->n_blocks; i++) {
        const struct block_instruction *in = s->instructions + s->blocks[i].first;

        c->starts[i] = c->n;
        for (size_t k = 0; k < s->blocks[i].size; k++) {
            uint32_t *counts = add_group(c, c->starts[i], w->keys.of_costs[in[k].cost]);

            for (uint32_t e = 0; e < c->n_events; e++)
                counts[e] += in[k].counts[c->letters[e]];
        }
    }
    c->starts[s->n_blocks] = c->n;
}

/*--- The costs of one context ---*/

/* A row of zeros for a cost of the last context. */
static int64_t *new_part(struct batch *b, uint32_t key)
{
    struct work *w = b->work;
    uint32_t room = b->room;
    int64_t *row;

    GROW(b->parts, b->n_parts, b->room);
    if (b->room != room)
        b->values = xreallocarray(b->values, (size_t)b->room * w->n_events, sizeof *b->values);
    if (w->r->chains.n)
        b->inlined[b->n] |= w->keys.items[key].chain != CHAIN_NONE;
    row = b->values + (size_t)b->n_parts * w->n_events;
    memset(row, 0, w->n_events * sizeof *row);
    b->parts[b->n_parts] = (struct part){key, CPROF_NONE, b->n_parts};
    b->n_parts++;
    return row;
}

static uint32_t first_part(const struct batch *b, uint32_t n)
{
    return n ? b->ends[n - 1] : 0;
}

/* The row of the last part where that has the key, else a new one. */
static inline int64_t *add_part(struct batch *b, uint32_t key)
{
    if (b->n_parts > first_part(b, b->n) && b->parts[b->n_parts - 1].key == key)
        return b->values + (size_t)(b->n_parts - 1) * b->work->n_events;
    return new_part(b, key);
}

/* `count` executions of a basic block. The counts of contexts are part of the profile's totals,
 * which are known to be less than 2^63. */
static inline void add_count(struct batch *b, uint32_t block, int64_t count)
{
    const struct block_costs *c = &b->work->blocks;
    const uint32_t *group = c->groups + c->starts[block];
    const uint32_t *end = c->groups + c->starts[block + 1];

    while (group < end) {
        int64_t *row = add_part(b, *group++);

        for (uint32_t e = 0; e < c->n_events; e++)
            row[c->events[e]] += count * (int64_t)*group++;
    }
}

/* Adds the basic blocks that context `i` ran. */
static void add_runs(struct batch *b, uint32_t i)
{
    const struct blocks *s = b->work->from;
    const struct block_run *run = blocks_first(s, i), *end = blocks_end(s, i);

    for (; run < end; run = block_next(run))
        for (uint32_t k = 0; k < run->size; k++) {
            int64_t count = block_count(s, run, k);

            if (count)
                add_count(b, run->first + k, count);
        }
}

/* Adds the counts from event `first` to `end` of a row, if there are any. */
static void add_values(struct batch *b, uint32_t key, const int64_t *values, uint32_t first,
                       uint32_t end)
{
    if (counts_any(values + first, end - first))
        counts_add(add_part(b, key) + first, values + first, end - first);
}

static void add_cost(struct batch *b, uint32_t cost, const int64_t *values)
{
    const struct work *w = b->work;
    uint32_t heap = w->r->first_heap;

    add_values(b, w->keys.of_costs[cost], values, 0, heap);
    add_values(b, w->keys.heap[cost], values, heap, w->n_events);
}

static int compare_keys(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static int compare_contexts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    COMPARE(x->context, y->context);
    return (x->row > y->row) - (x->row < y->row);
}

/* Finds the new contexts of the parts of raw context `i`, which is the `n`th of its batch, and puts
 * them in the order of these. Inlined contexts come in the order of addresses, whatever order
 * basic blocks were counted in. */
static bool find_contexts(struct batch *b, uint32_t n, uint32_t i)
{
    struct resolver *r = b->work->r;
    struct part *parts = b->parts + first_part(b, n), *end = b->parts + b->ends[n];
    bool several = b->inlined[n] && !r->stub_contexts[i];

    if (several)
        sort_items(parts, (size_t)(end - parts), sizeof *parts, compare_keys);
    for (struct part *p = parts; p < end; p++) {
        p->context = r->contexts[i];
        if (several)
            p->context = resolver_inlined_path(r, p->context, b->work->keys.items[p->key].chain);
        if (p->context == CPROF_NONE)
            return false;
    }
    if (several)
        sort_items(parts, (size_t)(end - parts), sizeof *parts, compare_contexts);
    return true;
}

/* Hands the parts of a raw context to the builder, one context after the other as it likes it. */
static bool put_parts(struct batch *b, uint32_t n, uint32_t i)
{
    struct work *w = b->work;
    struct resolver *r = w->r;

    if (!find_contexts(b, n, i))
        return false;
    for (uint32_t k = first_part(b, n); k < b->ends[n]; k++) {
        const struct part *p = &b->parts[k];
        const int64_t *values = b->values + (size_t)p->row * w->n_events;

        if (builder_context_cost(r->builder, p->context, &w->keys.items[p->key].cost, values) != 0)
            return false;
        if (r->keeps_paths)
            counts_add(r->sums + (size_t)p->context * w->n_events, values, w->n_events);
    }
    return true;
}

/*--- All ---*/

/* Puts cost record `i` of a function where others were inlined: the heap's counts, and the others.
 * `row` is room for its counts. */
static bool put_divided(struct resolver *r, uint32_t i, int64_t *row)
{
    struct cprof_cost cost = resolver_cost(r, i), heap = resolver_heap_cost(r, i);
    uint32_t n = r->raw->n_events;

    memcpy(row, cprof_cost_values(r->raw, i), n * sizeof *row);
    memset(row + r->first_heap, 0, (n - r->first_heap) * sizeof *row);
    if (builder_cost(r->builder, &cost, row) != 0)
        return false;
    memcpy(row, cprof_cost_values(r->raw, i), n * sizeof *row);
    memset(row, 0, r->first_heap * sizeof *row);
    return builder_cost(r->builder, &heap, row) == 0;
}

void resolver_put_costs(struct resolver *r)
{
    int64_t *row = xreallocarray(NULL, r->raw->n_events, sizeof *row);
    bool ok = true;

    for (uint32_t i = 0; ok && i < r->raw->n_costs; i++) {
        struct cprof_cost cost = resolver_cost(r, i);

        if (resolver_is_divided(r, i))
            ok = put_divided(r, i, row);
        else
            ok = builder_cost(r->builder, &cost, cprof_cost_values(r->raw, i)) == 0;
    }
    free(row);
}

/* The context of a function without call paths, made if new; CPROF_NONE: failed. */
static uint32_t root_of(struct resolver *r, uint32_t **roots, uint32_t *n, uint32_t function)
{
    if (function >= *n) {
        uint32_t room = function + 1 > 2 * *n ? function + 1 : 2 * *n;

        *roots = xreallocarray(*roots, room, sizeof **roots);
        for (; *n < room; (*n)++)
            (*roots)[*n] = CPROF_NONE;
    }
    if ((*roots)[function] == CPROF_NONE)
        (*roots)[function] = resolver_root(r, function);
    return (*roots)[function];
}

void resolver_put_inlined(struct resolver *r)
{
    uint32_t *roots = NULL, n = 0;

    resolver_put_costs(r);
    for (uint32_t i = 0; i < r->raw->n_costs; i++) {
        struct cprof_cost cost = resolver_cost(r, i);
        uint32_t context = root_of(r, &roots, &n, r->places[i].function);

        if (context != CPROF_NONE)
            context = resolver_inlined_path(r, context, r->places[i].chain);
        cost.address = 0;
        if (context == CPROF_NONE ||
            builder_context_cost(r->builder, context, &cost, cprof_cost_values(r->raw, i)) != 0)
            break;
    }
    free(roots);
}

static void put_costs(void *data)
{
    resolver_put_costs(data);
}

/* The number of contexts by which prefetches of what basic blocks cost are ahead; those of where it
 * is are twice as far. A line of the processor's cache, in words. */
enum { SOON = 8, LINE = 64 / sizeof(uint32_t) };

/* The first run of context `i`; NULL: there is none. */
static const struct block_run *first_run(const struct work *w, uint32_t i)
{
    const struct blocks *s = w->from;

    return i < w->r->raw->n_contexts && s->first_runs[i] < s->first_runs[i + 1] ? blocks_first(s, i)
                                                                                : NULL;
}

/* Adds the costs of context `i`: runs and misses are in the order of contexts. */
static void fill_blocks(struct batch *b, uint32_t i)
{
    struct work *w = b->work;
    const struct blocks *s = w->from;
    const struct block_costs *c = &w->blocks;
    const struct block_run *soon = first_run(w, i + SOON), *later = first_run(w, i + 2 * SOON);

    if (soon) {
        const uint32_t *groups = c->groups + c->starts[soon->first];

        prefetch_read(groups);
        prefetch_read(groups + LINE);
        prefetch_read(groups + 2 * LINE);
    }
    if (later) {
        prefetch_read(&c->starts[later->first]);
        prefetch_read(&c->starts[later->first + later->size]);
    }
    add_runs(b, i);
    for (; w->miss < s->n_misses && s->misses[w->miss].context == i; w->miss++)
        add_cost(b, s->misses[w->miss].cost, s->miss_values + w->miss * w->n_events);
}

static void fill_records(struct batch *b, uint32_t i)
{
    const struct cprof_profile *raw = b->work->r->raw;
    const struct cprof_context *c = &raw->contexts[i];

    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        const struct cprof_cost *cost = &raw->context_costs[k];

        add_cost(b, profile_find_cost(raw, cost->function, cost->address),
                 cprof_context_values(raw, k));
    }
}

/* Finds what the contexts of a batch did. Others are at work on the builder. */
static void fill(void *data)
{
    struct batch *b = data;
    uint32_t left = b->work->r->raw->n_contexts - b->first;

    b->n_parts = 0;
    for (b->n = 0; b->n < BATCH && b->n < left; b->n++) {
        b->inlined[b->n] = false;
        if (b->work->from)
            fill_blocks(b, b->first + b->n);
        else
            fill_records(b, b->first + b->n);
        b->ends[b->n] = b->n_parts;
    }
}

/* The number of parts by which prefetches of their names are ahead, and the number of contexts by
 * which those of their parents are. */
enum { PARTS_AHEAD = 8, CONTEXTS_AHEAD = 16 };

/* The contexts of a batch, each with its costs. */
static bool put(struct batch *b)
{
    const struct resolver *r = b->work->r;
    const struct key *keys = b->work->keys.items;

    for (uint32_t n = 0; n < b->n; n++) {
        uint32_t ahead = first_part(b, n) + PARTS_AHEAD, parent = CPROF_NONE;

        if (n + CONTEXTS_AHEAD < b->n)
            parent = r->raw->contexts[b->first + n + CONTEXTS_AHEAD].parent;
        if (parent != CPROF_NONE) {
            prefetch_read(&r->contexts[parent]);
            prefetch_read(&r->stub_contexts[parent]);
        }

        if (ahead < b->n_parts)
            prefetch_read(&keys[b->parts[ahead].key]);
        if (!resolver_put_context(b->work->r, b->first + n) || !put_parts(b, n, b->first + n))
            return false;
    }
    return true;
}

/* Batches are put once those that may still be at work come behind them. */
static void put_batches(struct work *w)
{
    uint32_t n = w->r->raw->n_contexts, n_batches = n / BATCH + (n % BATCH != 0), done = 0;
    bool ok = true;

    for (uint32_t i = 0; ok && i < n_batches; i++) {
        struct batch *b = &w->batches[i % N_BATCHES];

        b->first = i * BATCH;
        worker_do(&w->worker, fill, b);
        if (i >= WORKER_JOBS)
            ok = put(&w->batches[done++ % N_BATCHES]);
    }
    worker_wait(&w->worker);
    while (ok && done < n_batches)
        ok = put(&w->batches[done++ % N_BATCHES]);
}

static void free_batches(struct work *w)
{
    for (int i = 0; i < N_BATCHES; i++) {
        free(w->batches[i].parts);
        free(w->batches[i].values);
    }
    free(w->batches);
}

void resolver_put_contexts(struct resolver *r)
{
    struct work w = {.r = r, .n_events = r->raw->n_events, .from = profile_blocks(r->raw)};

    if (r->raw->n_contexts > BATCH)
        worker_begin(&w.worker);
    worker_do(&w.worker, put_costs, r); /* before any batch */
    w.keys = find_keys(r);
    r->contexts = xreallocarray(NULL, r->raw->n_contexts, sizeof *r->contexts);
    r->stub_contexts = xreallocarray(NULL, r->raw->n_contexts, sizeof *r->stub_contexts);
    w.batches = xcalloc(N_BATCHES, sizeof *w.batches);
    for (int i = 0; i < N_BATCHES; i++)
        w.batches[i].work = &w;
    if (w.from)
        find_block_costs(&w);
    put_batches(&w);
    worker_end(&w.worker);
    copy_arguments(r->builder, r->raw, r->contexts);
    free(w.blocks.groups);
    free(w.blocks.starts);
    free_batches(&w);
    free_keys(&w.keys);
}

/*--- Runs ---*/

/* How often inlined copies of functions and stubs were entered, and how often lines ran: by the
 * counts of their instructions. */

/* An inlined copy: how often its first instruction ran, and the one of its own that ran most
 * often. */
struct copy {
    uint64_t entered, most;
};

/* How often one instruction of a line ran. */
struct line_count {
    uint32_t copy; /* a frame; DEBUG_NONE: the function that was compiled for itself */
    struct cprof_line_runs line;
};

static int compare_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_lines(const void *a, const void *b)
{
    const struct line_count *x = a, *y = b;
    int order = compare_number(x->line.function, y->line.function);

    if (!order)
        order = compare_number(x->line.file, y->line.file);
    return order ? order : compare_number(x->line.line, y->line.line);
}

static int compare_copies(const void *a, const void *b)
{
    const struct line_count *x = a, *y = b;
    int order = compare_lines(a, b);

    return order ? order : compare_number(x->copy, y->copy);
}

static void raise_to(uint64_t *most, uint64_t count)
{
    if (count > *most)
        *most = count;
}

/* Notes the instruction at `address` in all copies that it is part of. */
static void note_copies(struct copy *copies, const struct debug_info *d, uint32_t innermost,
                        uint64_t address, uint64_t count)
{
    if (innermost != DEBUG_NONE)
        raise_to(&copies[innermost].most, count);
    for (uint32_t f = innermost; f != DEBUG_NONE; f = d->frames[f].parent)
        if (d->frames[f].entry == address)
            copies[f].entered = count;
}

/* Hands the copies to the builder, with those that are in pieces. */
static void put_copies(struct resolver *r, const struct object_names *names,
                       const struct copy *copies)
{
    for (uint32_t f = 0; f < names->n_frames && f < names->debug.n_frames; f++) {
        const struct copy *c = &copies[f];
        uint32_t chain = names->frames[f];

        if (chain != CHAIN_NONE && (c->entered || c->most))
            (void)builder_function_entered(r->builder, r->chains.items[chain].function, c->entered,
                                           c->entered < c->most);
    }
}

/* Hands lines to the builder, which are sorted by copies: of each copy the most, and all of these
 * added up. */
static void put_lines(struct resolver *r, struct line_count *lines, size_t n)
{
    for (size_t i = 0; i < n;) {
        struct cprof_line_runs sum = lines[i].line;
        size_t first = i;

        sum.runs = 0;
        while (i < n && compare_lines(&lines[first], &lines[i]) == 0) {
            uint64_t most = 0;
            uint32_t copy = lines[i].copy;

            for (; i < n && lines[i].copy == copy && compare_lines(&lines[first], &lines[i]) == 0;
                 i++)
                raise_to(&most, lines[i].line.runs);
            sum.runs += most;
        }
        if (builder_line_runs(r->builder, &sum) != 0)
            return;
    }
}

/* The innermost copy that each cost of the object is in; afterwards all copies are known. The
 * caller frees it. */
static uint32_t *frames_of(const struct resolver *r, struct object_names *names, uint32_t object)
{
    const uint32_t *order = r->order + r->starts[object];
    size_t n = r->starts[object + 1] - r->starts[object];
    uint32_t *frames = xreallocarray(NULL, n, sizeof *frames);

    for (size_t i = 0; i < n; i++)
        frames[i] = debug_frame(&names->debug, r->raw->costs[order[i]].address);
    return frames;
}

void resolver_count_stubs(struct resolver *r, const struct object_names *names, uint32_t object)
{
    uint32_t ir = cprof_find_event(r->raw, "Ir");

    if (ir == CPROF_NONE || r->raw->sampled)
        return;
    for (size_t i = r->starts[object]; i < r->starts[object + 1]; i++) {
        struct cprof_cost cost = resolver_cost(r, r->order[i]);
        int64_t count = cprof_cost_values(r->raw, r->order[i])[ir];

        if (count > 0 && object_names_begins_stub(names, cost.address))
            (void)builder_function_entered(r->builder, cost.function, (uint64_t)count, 0);
    }
}

void resolver_count_runs(struct resolver *r, struct object_names *names, uint32_t object)
{
    uint32_t ir = cprof_find_event(r->raw, "Ir"), *frames;
    const uint32_t *order = r->order + r->starts[object];
    size_t n = r->starts[object + 1] - r->starts[object], n_lines = 0;
    struct line_count *lines;
    struct copy *copies;

    if (ir == CPROF_NONE || r->raw->sampled)
        return;
    frames = frames_of(r, names, object);
    lines = xreallocarray(NULL, n, sizeof *lines);
    copies = xcalloc(names->debug.n_frames, sizeof *copies);
    for (size_t i = 0; i < n; i++) {
        struct cprof_cost cost = resolver_cost(r, order[i]);
        int64_t count = cprof_cost_values(r->raw, order[i])[ir];

        if (count <= 0)
            continue;
        note_copies(copies, &names->debug, frames[i], cost.address, (uint64_t)count);
        if (cost.line)
            lines[n_lines++] = (struct line_count){
                frames[i], {cost.function, cost.file, cost.line, (uint64_t)count}};
    }
    put_copies(r, names, copies);
    sort_items(lines, n_lines, sizeof *lines, compare_copies);
    put_lines(r, lines, n_lines);
    free(frames);
    free(lines);
    free(copies);
}
