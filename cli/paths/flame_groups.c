#include <config.h>

#include "paths/flame_groups.h"

#include "base/memory.h"

#include <stdlib.h>

/* A crate's own cost. */
struct crate_cost {
    uint32_t crate;
    int64_t self;
};

/* Compares crates: the most costly comes first; equal ones stay in their order. */
static int by_self(const void *a, const void *b)
{
    const struct crate_cost *x = a, *y = b;

    if (x->self != y->self)
        return x->self > y->self ? -1 : 1;
    return x->crate < y->crate ? -1 : x->crate > y->crate;
}

/* Returns true for code, which has a crate; threads and the like are none. */
static bool has_crate(const struct crates *crates, const struct cprof_profile *p, uint32_t function)
{
    return crates->of_function[function] != crates->of_object[p->n_objects];
}

/* Lists the crates that are drawn in `items`, which has room for all. Returns their number. */
static size_t collect(const struct flame *flame, const struct crates *crates,
                      struct crate_cost *items)
{
    bool *drawn = xcalloc(crates->n, sizeof *drawn);
    size_t n = 0;

    for (uint32_t i = 0; i < crates->n; i++)
        items[i] = (struct crate_cost){.crate = i};
    for (size_t i = 1; i < flame->n; i++) {
        const struct flame_frame *frame = &flame->frames[i];
        uint32_t crate = frame->fold ? 0 : crates->of_function[frame->function];

        if (frame->fold || !has_crate(crates, flame->profile, frame->function))
            continue;
        drawn[crate] = true;
        /* in a reversed graph, the frame on the root has the function's own cost */
        items[crate].self += !flame->reversed ? frame->self : frame->depth == 1 ? frame->value : 0;
    }
    for (size_t i = 0; i < crates->n; i++)
        if (drawn[i])
            items[n++] = items[i];
    free(drawn);
    return n;
}

void flame_groups_load(struct flame_groups *groups, const struct flame *flame,
                       const struct crates *crates)
{
    const struct cprof_profile *p = flame->profile;
    struct crate_cost *items = xcalloc(crates->n, sizeof *items);
    unsigned char *ranks = xcalloc(crates->n, 1);
    size_t n = collect(flame, crates, items), apart = n <= FLAME_GROUPS ? n : FLAME_GROUPS - 1;

    *groups = (struct flame_groups){.n = n < FLAME_GROUPS ? n : FLAME_GROUPS};
    qsort(items, n, sizeof *items, by_self);
    for (size_t i = 0; i < n; i++) {
        size_t at = i < apart ? i : apart;

        if (!groups->names[at])
            groups->names[at] =
                i < apart ? crate_label(&crates->items[items[i].crate]) : xstrdup("others");
        groups->self[at] += items[i].self;
        ranks[items[i].crate] = (unsigned char)at;
    }
    groups->of_function = xcalloc(p->n_functions, 1);
    for (uint32_t i = 0; i < p->n_functions; i++)
        groups->of_function[i] =
            has_crate(crates, p, i) ? ranks[crates->of_function[i]] : FLAME_GROUP_NONE;
    free(items);
    free(ranks);
}

void flame_groups_free(struct flame_groups *groups)
{
    for (size_t i = 0; i < groups->n; i++)
        free(groups->names[i]);
    free(groups->of_function);
    *groups = (struct flame_groups){.n = 0};
}
