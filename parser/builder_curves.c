#include <config.h>

/* Miss curves. */
#include "builder_private.h"
#include "compare.h"

#include <stdlib.h>
#include <string.h>

/* True where the sizes tell the misses of a cache of this size. */
static int knows(const uint64_t *sizes, size_t n, uint64_t size)
{
    size_t i = 0;

    while (i < n && sizes[i] < size)
        i++;
    return i == n || sizes[i] == size;
}

int builder_curve_sizes(struct builder *b, const uint64_t *sizes, size_t n)
{
    struct vector old = b->curve_sizes;
    const uint64_t *of_old = old.data;
    size_t i = 0, k = 0;

    b->curve_sizes = (struct vector){0};
    while (!builder_failed(b) && (i < old.count || k < n)) {
        int from_old = i < old.count && (k == n || of_old[i] <= sizes[k]);
        uint64_t size = from_old ? of_old[i] : sizes[k], *new;

        i += i < old.count && of_old[i] == size;
        k += k < n && sizes[k] == size;
        if (!knows(of_old, old.count, size) || !knows(sizes, n, size))
            continue;
        if ((new = builder_push(b, &b->curve_sizes, sizeof *new)))
            *new = size;
    }
    free(old.data);
    return builder_failed(b) ? -1 : 0;
}

int builder_reuse(struct builder *b, const struct cprof_reuse *reuse)
{
    struct cprof_reuse *new;

    if (builder_failed(b) || !(new = builder_push(b, &b->reuses, sizeof *new)))
        return -1;
    *new = *reuse;
    return 0;
}

/* Those of places first: CPROF_NONE + 1 is 0. */
static int by_place(const void *a, const void *b)
{
    const struct cprof_reuse *x = a, *y = b;

    COMPARE(x->datum + 1, y->datum + 1);
    COMPARE(x->context, y->context);
    COMPARE(x->place.function, y->place.function);
    COMPARE(x->place.file, y->place.file);
    COMPARE(x->place.line, y->place.line);
    COMPARE(x->place.address, y->place.address);
    COMPARE(x->kind, y->kind);
    COMPARE(x->size, y->size);
    return 0;
}

/* The least size of the builder that is not below `size`. The largest of all is kept. */
static uint64_t kept_size(const struct builder *b, uint64_t size)
{
    const uint64_t *sizes = b->curve_sizes.data;
    size_t low = 0, high = b->curve_sizes.count;

    while (size && low + 1 < high) {
        size_t middle = low + (high - low - 1) / 2;

        if (sizes[middle] < size)
            low = middle + 1;
        else
            high = middle + 1;
    }
    return size && b->curve_sizes.count ? sizes[low] : 0;
}

/* Makes equal ones one. Returns how many are left, or -1: all misses are more than 2^63-1. */
static long unite(struct cprof_reuse *all, size_t n)
{
    uint64_t sum = 0;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (all[i].misses > INT64_MAX || (sum += all[i].misses) > INT64_MAX)
            return -1;
        if (kept && !by_place(&all[kept - 1], &all[i]))
            all[kept - 1].misses += all[i].misses;
        else
            all[kept++] = all[i];
    }
    return (long)kept;
}

int builder_settle_curves(struct builder *b, struct cprof_profile *p)
{
    struct cprof_reuse *all = b->reuses.data;
    struct arena *arena = &b->profile->arena;
    long n;

    for (size_t i = 0; i < b->reuses.count; i++)
        all[i].size = kept_size(b, all[i].size);
    if (b->reuses.count)
        qsort(all, b->reuses.count, sizeof *all, by_place);
    n = unite(all, b->reuses.count);
    if (n < 0)
        return builder_fail(b, CPROF_ERROR_RANGE, "the sum of misses exceeds 2^63-1");
    while (p->n_reuses < n && all[p->n_reuses].datum == CPROF_NONE)
        p->n_reuses++;
    p->n_data_reuses = (uint32_t)n - p->n_reuses;
    p->reuses = arena_copy(arena, all, (size_t)n, sizeof *all);
    p->n_curve_sizes = (uint32_t)b->curve_sizes.count;
    p->curve_sizes =
        arena_copy(arena, b->curve_sizes.data, b->curve_sizes.count, sizeof *p->curve_sizes);
    if (!p->reuses || !p->curve_sizes)
        return builder_out_of_memory(b);
    p->data_reuses = p->reuses + p->n_reuses;
    return 0;
}
