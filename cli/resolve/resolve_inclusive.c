#include <config.h>

/*
 * Inclusive counts of the new functions. A function that was only ever called has those of the raw
 * profile, which are exact. The tool knows nothing of inlined functions, nor which functions have
 * one name ("???"): theirs are added up from the paths, as resolve.h says.
 */
#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "resolve/resolver.h"

#include <stdlib.h>
#include <string.h>

/* Arrays are per new function, of n_events where they count. */
struct totals {
    struct resolver *r;
    uint32_t n, n_functions;
    int64_t *called;  /* what the raw profile says of a function as one that was called; of several
                         that are one, the most */
    int64_t *self;    /* what was spent in its own code, be it inlined */
    int64_t *paths;   /* what its outermost occurrences in paths cost */
    bool *by_paths;   /* it was inlined somewhere, or is several functions of the run */
    bool *incomplete; /* a path that is folded hides some of its cost */
    uint32_t *active; /* how often it is on the path that is looked at */
    const struct blocks *blocks; /* what raw contexts ran; NULL: their costs say so */
};

static int64_t *row(const struct totals *t, int64_t *rows, uint32_t function)
{
    return rows + (size_t)function * t->n;
}

/* The larger of two rows of counts, into the first. Returns whether that is another. */
static bool raise_to(int64_t *counts, const int64_t *least, uint32_t n)
{
    bool raised = false;

    for (uint32_t i = 0; i < n; i++) {
        if (counts[i] >= least[i])
            continue;
        counts[i] = least[i];
        raised = true;
    }
    return raised;
}

static void add_to(int64_t *counts, const int64_t *more, const int64_t *limit, uint32_t n)
{
    counts_add(counts, more, n);
    for (uint32_t i = 0; i < n; i++)
        if (counts[i] > limit[i])
            counts[i] = limit[i];
}

static void count_functions(struct totals *t, uint32_t function)
{
    if (function >= t->n_functions)
        t->n_functions = function + 1;
}

/* Finds how many functions there are; 0: none, or out of memory (CPROF_NONE + 1). */
static void find_functions(struct totals *t)
{
    struct resolver *r = t->r;

    for (uint32_t i = 0; i < r->raw->n_functions; i++)
        if (r->raw->functions[i].address || r->functions[i] != CPROF_NONE)
            count_functions(t, resolver_function(r, i));
    for (uint32_t i = 0; i < r->raw->n_costs; i++)
        count_functions(t, r->places[i].function);
    for (uint32_t i = 0; i < r->chains.n; i++)
        count_functions(t, r->chains.items[i].function);
    for (uint32_t i = 0; i < r->n_paths; i++)
        count_functions(t, r->paths[i].function);
}

void resolver_find_merged(struct resolver *r)
{
    const struct cprof_profile *raw = r->raw;
    bool *once;

    for (uint32_t i = 0; i < raw->n_functions; i++)
        if (raw->functions[i].address && resolver_function(r, i) >= r->n_merged)
            r->n_merged = r->functions[i] == CPROF_NONE ? r->n_merged : r->functions[i] + 1;
    once = xcalloc(r->n_merged, sizeof *once);
    r->merged = xcalloc(r->n_merged, sizeof *r->merged);
    for (uint32_t i = 0; i < raw->n_functions; i++) {
        uint32_t function = raw->functions[i].address ? r->functions[i] : CPROF_NONE;

        if (function >= r->n_merged)
            continue;
        r->merged[function] |= once[function];
        once[function] = true;
        r->keeps_paths |= r->merged[function];
    }
    free(once);
}

/* Finds the counts of called functions. Code that is run into from the function before it is on no
 * stack, but has its own cost for certain. */
static void find_called(struct totals *t)
{
    const struct cprof_profile *raw = t->r->raw;
    int64_t *code = xcalloc((size_t)t->n_functions * t->n, sizeof *code);

    for (uint32_t i = 0; i < raw->n_costs; i++) {
        const int64_t *values = cprof_cost_values(raw, i);
        uint32_t function = t->r->places[i].function, heap = t->r->first_heap;
        int64_t *self = row(t, t->self, resolver_cost(t->r, i).function);

        add_to(row(t, code, function), values, raw->totals, t->n);
        add_to(self, values, raw->totals, heap);
        add_to(row(t, t->self, function) + heap, values + heap, raw->totals + heap, t->n - heap);
    }
    for (uint32_t i = 0; i < raw->n_functions; i++)
        if (t->r->functions[i] != CPROF_NONE)
            raise_to(row(t, t->called, t->r->functions[i]), cprof_inclusive_values(raw, i), t->n);
    for (uint32_t i = 0; i < t->n_functions; i++)
        raise_to(row(t, t->called, i), row(t, code, i), t->n);
    free(code);
}

/* Tells whether `function` is on the path from context `i` upwards. */
static bool is_above(const struct resolver *r, uint32_t i, uint32_t function)
{
    for (; i != CPROF_NONE; i = r->paths[i].parent)
        if (r->paths[i].function == function)
            return true;
    return false;
}

/* Marks the functions between context `from` and `to` above it, to which a call led back: they stay
 * on the stack, but not on the path. */
static void mark_hidden(struct totals *t, uint32_t from, uint32_t to)
{
    const struct resolver *r = t->r;

    for (; from != CPROF_NONE && from != to; from = r->paths[from].parent) {
        uint32_t function = r->paths[from].function;

        if (t->by_paths[function] && !t->incomplete[function])
            t->incomplete[function] = !is_above(r, to, function);
    }
}

/* Tells whether a basic block has the instruction at an address. */
static bool block_has(const struct totals *t, const struct block *block, uint32_t object,
                      uint64_t address)
{
    const struct cprof_profile *raw = t->r->raw;

    for (size_t i = block->first; i < block->first + block->size; i++) {
        const struct cprof_cost *cost = &raw->costs[t->blocks->instructions[i].cost];

        if (cost->address == address && raw->functions[cost->function].object == object)
            return true;
    }
    return false;
}

/* Tells whether a basic block that raw context `i` ran has it. */
static bool blocks_have(const struct totals *t, uint32_t i, uint32_t object, uint64_t address)
{
    const struct blocks *s = t->blocks;
    const struct block_run *run = blocks_first(s, i), *end = blocks_end(s, i);

    for (; run < end; run = block_next(run))
        for (uint32_t k = 0; k < run->size; k++)
            if (block_count(s, run, k) && block_has(t, &s->blocks[run->first + k], object, address))
                return true;
    return false;
}

/* Tells whether raw context `i` ran the instruction at `address` of its function's object. */
static bool has_run(const struct totals *t, uint32_t i, uint64_t address)
{
    const struct cprof_profile *raw = t->r->raw;
    const struct cprof_context *c = &raw->contexts[i];
    uint32_t object = raw->functions[c->function].object;

    if (t->blocks)
        return blocks_have(t, i, object, address);
    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
        if (raw->context_costs[k].address == address &&
            raw->functions[raw->context_costs[k].function].object == object)
            return true;
    return false;
}

/* The raw context at or above `i` whose function is `function`, or CPROF_NONE. */
static uint32_t context_above(const struct cprof_profile *raw, uint32_t i, uint32_t function)
{
    while (i != CPROF_NONE && raw->contexts[i].function != function)
        i = raw->contexts[i].parent;
    return i;
}

/* Looks for calls of raw context `i` that led back to one above it: those within a circle. */
static void find_recursion(struct totals *t, uint32_t i, const uint32_t *cycle)
{
    const struct resolver *r = t->r;
    const struct cprof_profile *raw = r->raw;
    uint32_t function = raw->contexts[i].function;

    for (uint32_t c = call_list_first(raw->calls, raw->n_calls, function);
         c < raw->n_calls && raw->calls[c].caller == function; c++) {
        uint32_t from, to;

        if (cycle[raw->calls[c].callee] != cycle[function])
            continue;
        to = context_above(raw, i, raw->calls[c].callee);
        if (to == CPROF_NONE || (raw->calls[c].address && !has_run(t, i, raw->calls[c].address)))
            continue;
        from = resolver_find_path(r, r->contexts[i], resolver_site(r->call_sites, c).chain);
        mark_hidden(t, from == CPROF_NONE ? r->contexts[i] : from, r->contexts[to]);
    }
}

static void find_incomplete(struct totals *t)
{
    const struct cprof_profile *raw = t->r->raw;
    uint32_t *cycle = cycles_find(raw);

    t->blocks = profile_blocks(raw);
    for (uint32_t i = 0; i < raw->n_contexts; i++) {
        if (graph_is_overflow(raw, i))
            memcpy(t->incomplete, t->by_paths, t->n_functions * sizeof *t->incomplete);
        find_recursion(t, i, cycle);
    }
    free(cycle);
}

/* Costs of contexts become those of all below them. */
static void add_children(struct resolver *r)
{
    uint32_t n = r->raw->n_events;

    for (uint32_t i = r->n_paths; i-- > 0;)
        if (r->paths[i].parent != CPROF_NONE)
            counts_add(r->sums + (size_t)r->paths[i].parent * n, r->sums + (size_t)i * n, n);
}

/* Tells whether the call that context `i` stands for, from caller to callee, is above it too. */
static bool is_call_above(const struct totals *t, uint32_t i)
{
    const struct path *paths = t->r->paths;
    uint32_t callee = paths[i].function, caller = paths[paths[i].parent].function;

    if (t->active[callee] < 2)
        return false;
    for (uint32_t k = paths[i].parent; paths[k].parent != CPROF_NONE; k = paths[k].parent)
        if (paths[k].function == callee && paths[paths[k].parent].function == caller)
            return true;
    return false;
}

/* Enters context `i`: counts it where it is the outermost of its function, and puts the "call" of
 * an inlined one. */
static bool enter(void *data, uint32_t i)
{
    struct totals *t = data;
    const struct path *p = &t->r->paths[i];
    const int64_t *sum = t->r->sums + (size_t)i * t->n;
    struct cprof_call call = {.callee = p->function, .inlined = 1};

    if (t->active[p->function]++ == 0)
        add_to(row(t, t->paths, p->function), sum, t->r->raw->totals, t->n);
    if (p->chain == CHAIN_NONE || is_call_above(t, i))
        return true;
    call.caller = t->r->paths[p->parent].function;
    call.file = t->r->chains.items[p->chain].file;
    call.line = t->r->chains.items[p->chain].line;
    (void)builder_call(t->r->builder, &call, sum);
    return true;
}

static void leave(void *data, uint32_t i)
{
    struct totals *t = data;

    t->active[t->r->paths[i].function]--;
}

/* Inlined functions have cost what one of their calls has at least, which the tool knows exactly:
 * where paths are folded that is more than they tell. */
static void raise_to_calls(struct totals *t)
{
    const struct resolver *r = t->r;

    for (uint32_t i = 0; i < r->raw->n_calls; i++)
        for (uint32_t chain = resolver_site(r->call_sites, i).chain; chain != CHAIN_NONE;
             chain = r->chains.items[chain].parent) {
            uint32_t function = r->chains.items[chain].function;

            if (t->incomplete[function])
                raise_to(row(t, t->paths, function), cprof_call_values(r->raw, i), t->n);
        }
}

static void put(struct totals *t)
{
    for (uint32_t i = 0; i < t->n_functions; i++) {
        int64_t *counts = row(t, t->by_paths[i] ? t->paths : t->called, i);

        if (t->by_paths[i]) {
            bool raised = raise_to(counts, row(t, t->called, i), t->n);

            raised |= raise_to(counts, row(t, t->self, i), t->n);
            if (raised || t->incomplete[i])
                (void)builder_function_traits(t->r->builder, i,
                                              &(struct cprof_function){.inclusive_least = 1});
        }
        if (builder_inclusive(t->r->builder, i, counts) != 0)
            break;
    }
}

void resolver_put_inclusive(struct resolver *r)
{
    struct totals t = {.r = r, .n = r->raw->n_events};
    size_t size;

    find_functions(&t);
    if (t.n_functions == 0)
        return;
    size = (size_t)t.n_functions * t.n;
    t.called = xcalloc(size, sizeof *t.called);
    t.self = xcalloc(size, sizeof *t.self);
    t.paths = xcalloc(size, sizeof *t.paths);
    t.by_paths = xcalloc(t.n_functions, sizeof *t.by_paths);
    t.incomplete = xcalloc(t.n_functions, sizeof *t.incomplete);
    t.active = xcalloc(t.n_functions, sizeof *t.active);
    for (uint32_t i = 0; i < r->n_merged; i++)
        t.by_paths[i] = r->merged[i];
    for (uint32_t i = 0; i < r->chains.n; i++)
        t.by_paths[r->chains.items[i].function] = true;
    find_called(&t);
    if (r->n_paths) {
        add_children(r);
        if (!r->raw->sampled) /* whose paths are not folded */
            find_incomplete(&t);
        tree_walk(&r->paths->parent, sizeof *r->paths, r->n_paths, enter, leave, &t);
        raise_to_calls(&t);
    }
    put(&t);
    free(t.called);
    free(t.self);
    free(t.paths);
    free(t.by_paths);
    free(t.incomplete);
    free(t.active);
}
