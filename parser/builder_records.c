#include <config.h>

#include "builder_private.h"

#include <assert.h>
#include <stdlib.h>

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

static int call_compare(const void *key_a, const void *key_b)
{
    const struct cprof_call *a = key_a, *b = key_b;

    if (a->callee != b->callee)
        return a->callee < b->callee ? -1 : 1;
    if (a->inlined != b->inlined)
        return a->inlined < b->inlined ? -1 : 1;
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

static int context_compare(const void *key_a, const void *key_b)
{
    const struct context_cost *a = key_a, *b = key_b;

    if (a->cost.function != b->cost.function)
        return a->cost.function < b->cost.function ? -1 : 1;
    return cost_compare(&a->cost, &b->cost);
}

/* A function's index is all of the key. */
static int function_compare(const void *key_a, const void *key_b)
{
    (void)key_a;
    (void)key_b;
    return 0;
}

static const struct table_class cost_class = {
    .key_size = sizeof(struct cprof_cost),
    .compare = cost_compare,
};
static const struct table_class call_class = {
    .key_size = sizeof(struct cprof_call),
    .compare = call_compare,
    .merge = call_merge,
};

static const struct table_class context_class = {
    .key_size = sizeof(struct context_cost),
    .compare = context_compare,
};
/* Inclusive counts: the key is a function's index. */
static const struct table_class inclusive_class = {
    .key_size = sizeof(uint32_t),
    .compare = function_compare,
};

void builder_start_records(struct builder *b)
{
    b->costs.class = &cost_class;
    b->calls.class = &call_class;
    b->context_costs.class = b->pending.class = &context_class;
    b->inclusive.class = &inclusive_class;
}

int builder_widen_records(struct builder *b, uint32_t n_events)
{
    struct table *tables[] = {&b->costs, &b->calls, &b->context_costs, &b->pending, &b->inclusive};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (builder_report(b, table_widen(tables[i], n_events)))
            return -1;
    if (b->summary) {
        int64_t *wider = realloc(b->summary, n_events * sizeof *wider);
        if (!wider)
            return builder_out_of_memory(b);
        b->summary = wider;
        wider[n_events - 1] = 0;
    }
    return 0;
}

void builder_release_records(struct builder *b)
{
    table_release(&b->costs);
    table_release(&b->calls);
    table_release(&b->context_costs);
    table_release(&b->pending);
    table_release(&b->inclusive);
    free(b->summary);
}

int builder_report(struct builder *b, enum table_result result)
{
    if (result == TABLE_OK)
        return 0;
    if (result == TABLE_MEMORY)
        return builder_out_of_memory(b);
    return builder_fail(b, CPROF_ERROR_RANGE, "a sum of counts exceeds 2^63-1");
}

int builder_cost(struct builder *b, const struct cprof_cost *cost, const int64_t *values)
{
    if (builder_failed(b))
        return -1;
    assert(cost->function < b->functions.count);
    assert(cost->file == CPROF_NONE || cost->file < b->files.count);
    return builder_report(b, table_add(&b->costs, cost, values, b->functions.count));
}

int builder_call(struct builder *b, const struct cprof_call *call, const int64_t *values)
{
    if (builder_failed(b))
        return -1;
    assert(call->caller < b->functions.count && call->callee < b->functions.count);
    assert(call->file == CPROF_NONE || call->file < b->files.count);
    if (call->count > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    return builder_report(b, table_add(&b->calls, call, values, b->functions.count));
}

uint32_t builder_context(struct builder *b, const struct cprof_context *context)
{
    struct cprof_context *new;

    if (builder_failed(b))
        return CPROF_NONE;
    assert(context->parent == CPROF_NONE || context->parent < b->contexts.count);
    assert(context->function < b->functions.count);
    assert(context->site_file == CPROF_NONE || context->site_file < b->files.count);
    if (context->calls > INT64_MAX) {
        builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
        return CPROF_NONE;
    }
    new = builder_push(b, &b->contexts);
    if (!new)
        return CPROF_NONE;
    *new = *context;
    new->first_cost = new->n_costs = 0;
    return b->contexts.count - 1;
}

static int equal_context(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_context *a = (const struct cprof_context *)owner + index, *b = key;

    return a->parent == b->parent && a->function == b->function && a->site == b->site &&
           a->site_file == b->site_file && a->site_line == b->site_line && a->inlined == b->inlined;
}

static uint32_t hash_context(const struct cprof_context *c)
{
    uint64_t mixed = map_mix(map_mix(c->inlined, (uint64_t)c->parent << 32 | c->function), c->site);

    return map_hash(map_mix(mixed, (uint64_t)c->site_file << 32 | c->site_line));
}

/* Contexts are in the map only where somebody asks for equal ones. Of equal ones the first is. */
static int map_contexts(struct builder *b)
{
    const struct cprof_context *contexts = b->contexts.data;

    for (; b->n_mapped < b->contexts.count; b->n_mapped++) {
        const struct cprof_context *c = &contexts[b->n_mapped];
        uint32_t hash = hash_context(c);

        if (map_find(&b->context_map, hash, equal_context, contexts, c) == MAP_NONE &&
            map_add(&b->context_map, hash, b->n_mapped))
            return builder_out_of_memory(b);
    }
    return 0;
}

uint32_t builder_same_context(struct builder *b, const struct cprof_context *context)
{
    struct cprof_context *found;
    uint32_t index;

    if (builder_failed(b) || map_contexts(b))
        return CPROF_NONE;
    index =
        map_find(&b->context_map, hash_context(context), equal_context, b->contexts.data, context);
    if (index == MAP_NONE)
        return builder_context(b, context);
    found = (struct cprof_context *)b->contexts.data + index;
    if (context->calls > INT64_MAX || found->calls + context->calls > INT64_MAX) {
        builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
        return CPROF_NONE;
    }
    found->calls += context->calls;
    return index;
}

int builder_settle_pending(struct builder *b)
{
    struct table *t = &b->pending;

    if (builder_report(b, table_order(t, 1)))
        return -1;
    for (uint32_t i = 0; i < t->count; i++) {
        struct context_cost key = ((const struct context_cost *)(const void *)t->keys)[i];
        key.context = b->pending_context;
        if (builder_report(b, table_add(&b->context_costs, &key, t->values + (size_t)i * t->width,
                                        b->contexts.count)))
            return -1;
    }
    t->count = 0;
    t->worth = 0;
    return 0;
}

/* Costs come context by context, and each context's in no order: sorted in small, the large table
 * is in order from the beginning. The profile's own costs get theirs from here in builder_finish(),
 * when equal ones are one. */
int builder_context_cost(struct builder *b, uint32_t context, const struct cprof_cost *cost,
                         const int64_t *values)
{
    struct context_cost key = {0, *cost};

    if (builder_failed(b))
        return -1;
    assert(context < b->contexts.count);
    assert(cost->function < b->functions.count);
    assert(cost->file == CPROF_NONE || cost->file < b->files.count);
    if (context != b->pending_context && builder_settle_pending(b))
        return -1;
    b->pending_context = context;
    return builder_report(b, table_add(&b->pending, &key, values, 1));
}

int builder_inclusive(struct builder *b, uint32_t function, const int64_t *values)
{
    if (builder_failed(b))
        return -1;
    assert(function < b->functions.count);
    return builder_report(b, table_add(&b->inclusive, &function, values, b->functions.count));
}

int builder_summary(struct builder *b, const int64_t *values)
{
    uint32_t count = b->events.count;

    if (builder_failed(b))
        return -1;
    if (!b->summary) {
        b->summary = calloc((size_t)count + 1, sizeof *b->summary);
        if (!b->summary)
            return builder_out_of_memory(b);
    }
    return table_add_row(b->summary, values, count) ? builder_report(b, TABLE_OVERFLOW) : 0;
}
