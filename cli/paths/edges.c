#include <config.h>

#include "paths/edges.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    if (x->callee != y->callee)
        return x->callee < y->callee ? -1 : 1;
    return x->inlined - y->inlined;
}

/* Makes one edge of those with the same ends. */
static void merge(struct edges *e)
{
    size_t kept = 0;

    sort_items(e->items, e->n, sizeof *e->items, compare);
    for (size_t i = 0; i < e->n; i++) {
        struct edge *last = kept ? &e->items[kept - 1] : NULL;

        if (!last || compare(last, &e->items[i]) != 0) {
            e->items[kept++] = e->items[i];
            continue;
        }
        counts_add(&last->cost, &e->items[i].cost, 1);
        calls_add(&last->calls, e->items[i].calls);
    }
    e->n = kept;
}

void edges_load(struct edges *e, const struct tree *t, const struct column *measure)
{
    const struct cprof_profile *p = t->profile;

    e->n = 0;
    e->items = xreallocarray(NULL, (size_t)p->n_calls + t->n, sizeof *e->items);
    for (uint32_t i = 0; i < p->n_calls; i++)
        e->items[e->n++] =
            (struct edge){p->calls[i].caller, p->calls[i].callee, p->calls[i].inlined,
                          p->calls[i].count, column_value(measure, cprof_call_values(p, i))};
    for (uint32_t i = 1; i < t->n && !p->n_calls; i++) {
        const struct tree_node *node = &t->nodes[i];

        if (node->parent)
            e->items[e->n++] =
                (struct edge){t->nodes[node->parent].function, node->function, node->inlined,
                              node->calls, column_value(measure, tree_inclusive(t, i))};
    }
    merge(e);
}

void edges_free(struct edges *e)
{
    free(e->items);
    *e = (struct edges){.n = 0};
}
