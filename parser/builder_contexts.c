#include <config.h>

/* Contexts and their costs, in the order of contexts in the end. */

#include "builder_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int context_compare(const void *key_a, const void *key_b)
{
    const struct cprof_cost *a = key_a, *b = key_b;

    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return builder_compare_costs(a, b);
}

const struct table_class builder_context_class = {
    .key_size = sizeof(struct cprof_cost),
    .n_words = 3,
    .compare = context_compare,
};

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
    new = builder_push(b, &b->contexts, sizeof *new);
    if (!new)
        return CPROF_NONE;
    *new = *context;
    new->first_cost = new->n_costs = 0;
    return (uint32_t)b->contexts.count - 1;
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

/* The first child of a context, or MAP_NONE. */
static uint32_t child_of(const struct builder *b, uint32_t context)
{
    return context == CPROF_NONE ? MAP_NONE : ((const uint32_t *)b->context_child.data)[context];
}

/*
 * The context that is equal to this one, or MAP_NONE. Most contexts have one child at most, so the
 * first child of each is at hand, and only the others are in the map, which would be many times
 * larger than the processor's caches else.
 */
static uint32_t find_context(const struct builder *b, const struct cprof_context *context,
                             uint32_t *hash)
{
    uint32_t child = child_of(b, context->parent);

    if (context->parent != CPROF_NONE &&
        (child == MAP_NONE || equal_context(b->contexts.data, child, context)))
        return child;
    *hash = hash_context(context);
    return map_find(&b->context_map, *hash, equal_context, b->contexts.data, context);
}

/* Enters a context that find_context() did not find, as a first child or into the map. */
static int enter_context(struct builder *b, uint32_t index, uint32_t hash)
{
    const struct cprof_context *c = (const struct cprof_context *)b->contexts.data + index;
    uint32_t *child = builder_push(b, &b->context_child, sizeof *child);

    if (!child)
        return -1;
    *child = MAP_NONE;
    if (c->parent == CPROF_NONE || child_of(b, c->parent) != MAP_NONE)
        return map_add(&b->context_map, hash, index) ? builder_out_of_memory(b) : 0;
    ((uint32_t *)b->context_child.data)[c->parent] = index;
    return 0;
}

/* Enters all contexts, the first of equal ones: only builder_same_context() needs it. */
static int enter_contexts(struct builder *b)
{
    const struct cprof_context *contexts = b->contexts.data;

    while (b->context_child.count < b->contexts.count) {
        uint32_t hash = 0, i = (uint32_t)b->context_child.count, *child;

        if (find_context(b, &contexts[i], &hash) == MAP_NONE) {
            if (enter_context(b, i, hash))
                return -1;
        } else {
            if (!(child = builder_push(b, &b->context_child, sizeof *child)))
                return -1;
            *child = MAP_NONE;
        }
    }
    return 0;
}

int builder_context_calls(struct builder *b, uint32_t context, uint64_t calls)
{
    struct cprof_context *found = (struct cprof_context *)b->contexts.data + context;

    if (builder_failed(b))
        return -1;
    if (calls > INT64_MAX || found->calls + calls > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    found->calls += calls;
    return 0;
}

uint32_t builder_same_context(struct builder *b, const struct cprof_context *context)
{
    uint32_t index, hash = 0;

    if (builder_failed(b) || enter_contexts(b))
        return CPROF_NONE;
    index = find_context(b, context, &hash);
    if (index == MAP_NONE) {
        index = builder_context(b, context);
        return index == CPROF_NONE || enter_context(b, index, hash) ? CPROF_NONE : index;
    }
    return builder_context_calls(b, index, context->calls) ? CPROF_NONE : index;
}

/* Costs of contexts */

/*
 * Costs come context by context, and are put one behind another: a run for each context. Within a
 * run they come in any order and may be equal, so a run is sorted and added up when it ends, while
 * it is in the processor's caches. The runs of one context become one in the end.
 */

/* Ends the last run. */
static int end_run(struct builder *b)
{
    const struct run *runs = b->runs.data;

    return b->runs.count ? builder_sort_run(b, &b->context_costs, runs[b->runs.count - 1].first)
                         : 0;
}

static int start_run(struct builder *b, uint32_t context)
{
    struct run *new;

    if (end_run(b) || !(new = builder_push(b, &b->runs, sizeof *new)))
        return -1;
    if (b->runs.count > 1 && new[-1].context > context)
        b->runs_apart = 1;
    *new = (struct run){context, b->context_costs.count};
    return 0;
}

int builder_context_cost(struct builder *b, uint32_t context, const struct cprof_cost *cost,
                         const int64_t *values)
{
    const struct run *runs = b->runs.data;
    struct cprof_cost key;

    if (builder_failed(b))
        return -1;
    assert(context < b->contexts.count);
    assert(cost->function < b->functions.count);
    assert(cost->file == CPROF_NONE || cost->file < b->files.count);
    if ((!b->runs.count || runs[b->runs.count - 1].context != context) && start_run(b, context))
        return -1;
    builder_copy_key(&key, cost);
    return builder_report(b, table_append(&b->context_costs, &key, values));
}

void builder_costs_apart(struct builder *b)
{
    b->costs_apart = 1;
}

void builder_contexts_inlined(struct builder *b)
{
    b->costs_apart = b->contexts_inlined = 1;
}

/* The order of runs by context, stable; NULL with the error set. */
static uint32_t *order_runs(struct builder *b)
{
    const struct run *runs = b->runs.data;
    uint32_t *order = malloc((b->runs.count + (size_t)1) * sizeof *order);
    uint32_t *starts = calloc(b->contexts.count + (size_t)1, sizeof *starts);

    if (order && starts) {
        for (uint32_t i = 0; i < b->runs.count; i++)
            starts[runs[i].context + 1]++;
        for (uint32_t i = 0; i < b->contexts.count; i++)
            starts[i + 1] += starts[i];
        for (uint32_t i = 0; i < b->runs.count; i++)
            order[starts[runs[i].context]++] = i;
    } else {
        builder_out_of_memory(b);
        free(order);
        order = NULL;
    }
    free(starts);
    return order;
}

/* Copies the records of one run to the end of `to`. */
static int copy_run(struct builder *b, struct sum_table *to, uint32_t run)
{
    const struct run *runs = b->runs.data;
    const struct sum_table *from = &b->context_costs;
    uint32_t end = run + 1 < b->runs.count ? runs[run + 1].first : from->count;

    for (uint32_t i = runs[run].first; i < end; i++)
        if (builder_report(b, table_append(to, table_key(from, i), table_row(from, i))))
            return -1;
    return 0;
}

/* Writes all runs anew, in the order of their contexts, those of one context as one. */
static int join_runs(struct builder *b)
{
    struct run *runs = b->runs.data;
    struct sum_table to = {.class = &builder_context_class, .width = b->context_costs.width};
    struct vector joined = {0};
    uint32_t *order = order_runs(b);
    int result = order ? 0 : -1;

    for (uint32_t i = 0; i < b->runs.count && !result; i++) {
        const struct run *run = &runs[order[i]];
        struct run *last = joined.count ? (struct run *)joined.data + joined.count - 1 : NULL;

        if (!last || last->context != run->context) {
            result = last ? builder_sort_run(b, &to, last->first) : 0;
            last = result ? NULL : builder_push(b, &joined, sizeof *last);
            if (last)
                *last = (struct run){run->context, to.count};
        }
        result = last ? copy_run(b, &to, order[i]) : -1;
    }
    if (!result)
        result = builder_sort_run(b, &to, ((struct run *)joined.data)[joined.count - 1].first);
    free(order);
    free(b->runs.data);
    table_release(&b->context_costs);
    b->runs = joined;
    b->context_costs = to;
    return result;
}

/* Costs of contexts are costs of the profile. */
static int add_up(struct builder *b)
{
    const struct sum_table *t = &b->context_costs;

    for (uint32_t i = 0; i < t->count && !b->costs_apart; i++)
        if (builder_cost(b, table_key(t, i), table_row(t, i)))
            return -1;
    return 0;
}

int builder_order_contexts(struct builder *b)
{
    struct cprof_context *contexts = b->contexts.data;
    const struct run *runs;

    if (builder_failed(b) || end_run(b) || (b->runs_apart && join_runs(b)))
        return -1;
    runs = b->runs.data;
    for (uint32_t i = 0; i < b->runs.count; i++) {
        uint32_t end = i + 1 < b->runs.count ? runs[i + 1].first : b->context_costs.count;

        contexts[runs[i].context].first_cost = runs[i].first;
        contexts[runs[i].context].n_costs = end - runs[i].first;
    }
    return add_up(b);
}

/*--- Arguments ---*/

uint32_t builder_counted_arg(struct builder *b, const struct cprof_counted_arg *arg)
{
    struct cprof_counted_arg *known = b->counted_args.data, *new;
    const char *pattern;

    if (builder_failed(b) || !(pattern = builder_text(b, arg->pattern, strlen(arg->pattern))))
        return CPROF_NONE;
    for (uint32_t i = 0; i < b->counted_args.count; i++)
        if (known[i].pattern == pattern && known[i].number == arg->number &&
            known[i].log2 == arg->log2) {
            if (known[i].n_functions < arg->n_functions)
                known[i].n_functions = arg->n_functions;
            return i;
        }
    if (!(new = builder_push(b, &b->counted_args, sizeof *new)))
        return CPROF_NONE;
    *new = *arg;
    new->pattern = pattern;
    return (uint32_t)b->counted_args.count - 1;
}

int builder_arg_count(struct builder *b, const struct cprof_arg_count *count)
{
    struct cprof_arg_count *new;

    if (builder_failed(b))
        return -1;
    assert(count->arg < b->counted_args.count && count->context < b->contexts.count);
    if (count->calls > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    if (!count->calls)
        return 0;
    if (!(new = builder_push(b, &b->arg_counts, sizeof *new)))
        return -1;
    *new = *count;
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const struct cprof_arg_count *x = a, *y = b;

    if (x->arg != y->arg)
        return x->arg < y->arg ? -1 : 1;
    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return x->value == y->value ? 0 : x->value < y->value ? -1 : 1;
}

/* Makes equal ones one. Returns how many are left, or -1: all calls are more than 2^63-1. */
static long unite(struct cprof_arg_count *all, size_t n)
{
    uint64_t calls = 0;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        calls += all[i].calls;
        if (calls > INT64_MAX)
            return -1;
        if (kept && !by_value(&all[kept - 1], &all[i]))
            all[kept - 1].calls += all[i].calls;
        else
            all[kept++] = all[i];
    }
    return (long)kept;
}

int builder_settle_arguments(struct builder *b, struct cprof_profile *p)
{
    struct cprof_arg_count *all = b->arg_counts.data;
    struct arena *arena = &b->profile->arena;
    long n;

    if (b->arg_counts.count)
        qsort(all, b->arg_counts.count, sizeof *all, by_value);
    n = unite(all, b->arg_counts.count);
    if (n < 0)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of calls exceeds 2^63-1");
    p->n_arg_counts = (uint32_t)n;
    p->arg_counts = arena_copy(arena, all, (size_t)n, sizeof *all);
    p->n_counted_args = (uint32_t)b->counted_args.count;
    p->counted_args =
        arena_copy(arena, b->counted_args.data, p->n_counted_args, sizeof *p->counted_args);
    return p->arg_counts && p->counted_args ? 0 : builder_out_of_memory(b);
}
