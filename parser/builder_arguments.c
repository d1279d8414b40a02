#include <config.h>

/* Arguments of functions: how many calls had which value. */
#include "builder_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
