#include <config.h>

#include "model/graph.h"

#include "base/memory.h"
#include "model/cycles.h"

#include <stdlib.h>
#include <string.h>

void counts_add(int64_t *to, const int64_t *more, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (__builtin_add_overflow(to[i], more[i], &to[i]))
            to[i] = more[i] < 0 ? INT64_MIN : INT64_MAX;
}

bool graph_is_known(const struct cprof_profile *p)
{
    return p->n_calls > 0 || p->inclusive;
}

static void add_calls(int64_t *calls, uint64_t more)
{
    int64_t count = more > INT64_MAX ? INT64_MAX : (int64_t)more;

    counts_add(calls, &count, 1);
}

/* Edges, and entries from roots such as "[thread 1]", which no edge begins at. */
static void count_calls(struct graph *g, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_calls; i++)
        add_calls(&g->calls[p->calls[i].callee], p->calls[i].count);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        uint32_t parent = c->parent;

        if (parent == CPROF_NONE || p->functions[p->contexts[parent].function].object == CPROF_NONE)
            add_calls(&g->calls[c->function], c->calls);
    }
}

static int64_t *row_of(const struct cprof_profile *p, int64_t *rows, uint32_t function)
{
    return rows + (size_t)function * p->n_events;
}

/*
 * The sums that the header speaks of. `self` is what each function cost itself. What is called by
 * others takes the sum of these edges, what is called by none, or is in a circle, that of the edges
 * that leave it.
 */
static void add_edges(struct graph *g, const struct cprof_profile *p, int64_t *self)
{
    uint32_t *cycle = cycles_find(p), *members = xcalloc(p->n_functions, sizeof *members);
    bool *called = xcalloc(p->n_functions, sizeof *called);

    for (uint32_t i = 0; i < p->n_functions; i++)
        members[cycle[i]]++;
    for (uint32_t i = 0; i < p->n_calls; i++)
        if (p->calls[i].caller != p->calls[i].callee && p->calls[i].count)
            called[p->calls[i].callee] = true;
    for (uint32_t i = 0; i < p->n_functions; i++) {
        called[i] &= members[cycle[i]] == 1;
        if (!called[i])
            counts_add(row_of(p, g->inclusive, i), row_of(p, self, i), p->n_events);
    }
    for (uint32_t i = 0; i < p->n_calls; i++) {
        uint32_t caller = p->calls[i].caller, callee = p->calls[i].callee;

        if (cycle[caller] == cycle[callee])
            continue; /* and where both are one */
        if (called[callee])
            counts_add(row_of(p, g->inclusive, callee), cprof_call_values(p, i), p->n_events);
        if (!called[caller])
            counts_add(row_of(p, g->inclusive, caller), cprof_call_values(p, i), p->n_events);
    }
    free(cycle);
    free(members);
    free(called);
}

/* Keeps all between a function's own cost and the program's. */
static void bound(struct graph *g, const struct cprof_profile *p, int64_t *self)
{
    for (uint32_t i = 0; i < p->n_functions; i++) {
        int64_t *sums = row_of(p, g->inclusive, i), *own = row_of(p, self, i);
        bool capped = false;

        for (uint32_t e = 0; e < p->n_events; e++) {
            if (sums[e] < own[e])
                sums[e] = own[e];
            if (sums[e] > p->totals[e]) {
                sums[e] = p->totals[e];
                capped = true;
            }
        }
        g->n_capped += capped;
    }
}

void graph_load(struct graph *g, const struct cprof_profile *p)
{
    size_t size = (size_t)p->n_functions * p->n_events;
    int64_t *self;

    *g = (struct graph){.known = graph_is_known(p)};
    if (!g->known)
        return;
    g->calls = xcalloc(p->n_functions, sizeof *g->calls);
    g->inclusive = xcalloc(size, sizeof *g->inclusive);
    count_calls(g, p);
    if (p->inclusive) {
        memcpy(g->inclusive, p->inclusive, size * sizeof *g->inclusive);
        return;
    }
    self = xcalloc(size, sizeof *self);
    for (uint32_t i = 0; i < p->n_costs; i++)
        counts_add(row_of(p, self, p->costs[i].function), cprof_cost_values(p, i), p->n_events);
    add_edges(g, p, self);
    bound(g, p, self);
    free(self);
}

void graph_free(struct graph *g)
{
    free(g->inclusive);
    free(g->calls);
    *g = (struct graph){.known = false};
}
