#include <config.h>

#include "builder_private.h"

#include <assert.h>
#include <stdlib.h>

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

void builder_start_records(struct builder *b)
{
    b->costs.class = &cost_class;
    b->calls.class = &call_class;
}

int builder_widen_records(struct builder *b, uint32_t n_events)
{
    struct table *tables[] = {&b->costs, &b->calls};

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
