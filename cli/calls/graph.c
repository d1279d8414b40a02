#include <config.h>

#include "calls/graph.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static bool is_before(const void *call, const void *caller)
{
    return ((const struct cprof_call *)call)->caller < *(const uint32_t *)caller;
}

uint32_t call_list_first(const struct cprof_call *calls, uint32_t n, uint32_t caller)
{
    return (uint32_t)lower_bound(calls, n, sizeof *calls, is_before, &caller);
}

/*--- Circles ---*/

/* A function whose calls are being followed. */
struct visit {
    uint32_t function;
    uint32_t call; /* the next of its calls to look at */
};

/* Tarjan's algorithm. The stack of its recursion is `path`, since chains of calls may be long. */
struct tarjan {
    uint32_t n_calls;
    const struct cprof_call *calls; /* by caller */
    uint32_t *found; /* the order in which functions were reached, from 1; 0: not yet */
    uint32_t *low;   /* the earliest function that can be reached from it */
    uint32_t *cycle; /* the result; CPROF_NONE: still open */
    uint32_t *open;  /* functions whose cycle is not complete */
    struct visit *path;
    uint32_t n_found, n_open, n_path, n_cycles;
};

static void reach(struct tarjan *s, uint32_t function)
{
    s->found[function] = s->low[function] = ++s->n_found;
    s->open[s->n_open++] = function;
    s->path[s->n_path++] =
        (struct visit){function, call_list_first(s->calls, s->n_calls, function)};
}

/* Makes one cycle of `function` and of all functions found after it. */
static void close_cycle(struct tarjan *s, uint32_t function)
{
    uint32_t member;

    do {
        member = s->open[--s->n_open];
        s->cycle[member] = s->n_cycles;
    } while (member != function);
    s->n_cycles++;
}

static void lower(struct tarjan *s, uint32_t function, uint32_t to)
{
    if (to < s->low[function])
        s->low[function] = to;
}

static void follow(struct tarjan *s, uint32_t start)
{
    reach(s, start);
    while (s->n_path) {
        struct visit *top = &s->path[s->n_path - 1];
        uint32_t function = top->function;

        if (top->call < s->n_calls && s->calls[top->call].caller == function) {
            uint32_t callee = s->calls[top->call++].callee;

            if (!s->found[callee])
                reach(s, callee);
            else if (s->cycle[callee] == CPROF_NONE)
                lower(s, function, s->found[callee]);
            continue;
        }
        if (s->low[function] == s->found[function])
            close_cycle(s, function);
        s->n_path--;
        if (s->n_path)
            lower(s, s->path[s->n_path - 1].function, s->low[function]);
    }
}

/* The cycles of `n` functions by these calls. */
static uint32_t *find(uint32_t n, const struct cprof_call *calls, uint32_t n_calls)
{
    struct tarjan s = {.n_calls = n_calls, .calls = calls};

    s.found = xcalloc(n, sizeof *s.found);
    s.low = xcalloc(n, sizeof *s.low);
    s.cycle = new_indices(n);
    s.open = xcalloc(n, sizeof *s.open);
    s.path = xcalloc(n, sizeof *s.path);
    for (uint32_t i = 0; i < n; i++)
        if (!s.found[i])
            follow(&s, i);
    free(s.found);
    free(s.low);
    free(s.open);
    free(s.path);
    return s.cycle;
}

uint32_t *cycles_find(const struct cprof_profile *p)
{
    return find(p->n_functions, p->calls, p->n_calls);
}

static int compare_callers(const void *a, const void *b)
{
    const struct cprof_call *x = a, *y = b;

    return (x->caller > y->caller) - (x->caller < y->caller);
}

uint32_t *cycles_find_linked(const struct cprof_profile *p, cycles_link *link)
{
    uint32_t n = p->n_calls, *cycle;
    struct cprof_call *calls =
        xreallocarray(NULL, (size_t)p->n_calls + p->n_contexts, sizeof *calls);

    if (n)
        memcpy(calls, p->calls, n * sizeof *calls);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        if (c->parent != CPROF_NONE && link(p, c))
            calls[n++] = (struct cprof_call){.caller = p->contexts[c->parent].function,
                                             .callee = c->function};
    }
    if (n > p->n_calls)
        sort_items(calls, n, sizeof *calls, compare_callers);
    cycle = find(p->n_functions, calls, n);
    free(calls);
    return cycle;
}

/*--- The graph ---*/

bool graph_is_known(const struct cprof_profile *p)
{
    return p->n_calls > 0 || p->inclusive;
}

bool graph_has_calls(const struct cprof_profile *p)
{
    return graph_is_known(p) && !p->sampled;
}

static void add_calls(int64_t *calls, uint64_t more)
{
    int64_t count = calls_count(more);

    counts_add(calls, &count, 1);
}

bool graph_is_overflow(const struct cprof_profile *p, uint32_t context)
{
    const struct cprof_function *f = &p->functions[p->contexts[context].function];

    return f->object == CPROF_NONE && !strcmp(f->name, "[more]");
}

/* The calls of each function: those of edges, in `edges`, and those of contexts. */
static void count_both(const struct cprof_profile *p, int64_t *edges, int64_t *contexts)
{
    for (uint32_t i = 0; i < p->n_calls; i++)
        add_calls(&edges[p->calls[i].callee], p->calls[i].count);
    for (uint32_t i = 0; i < p->n_contexts; i++)
        add_calls(&contexts[p->contexts[i].function], p->contexts[i].calls);
}

/* Contexts count entries from roots such as "[thread 1]", too, at which no edge begins. */
static void count_calls(struct graph *g, const struct cprof_profile *p)
{
    int64_t *contexts = xcalloc(p->n_functions, sizeof *contexts);

    count_both(p, g->calls, contexts);
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (g->calls[i] < contexts[i])
            g->calls[i] = contexts[i];
    free(contexts);
}

int64_t *graph_entries(const struct cprof_profile *p)
{
    int64_t *entries = xcalloc(p->n_functions, sizeof *entries);
    int64_t *edges = xcalloc(p->n_functions, sizeof *edges);

    count_both(p, edges, entries);
    for (uint32_t i = 0; i < p->n_functions; i++)
        entries[i] = entries[i] > edges[i] ? entries[i] - edges[i] : 0;
    free(edges);
    return entries;
}

static int64_t *row_of(const struct cprof_profile *p, int64_t *rows, uint32_t function)
{
    return rows + (size_t)function * p->n_events;
}

/* Sums of edges and costs, function by function. */
struct edge_sums {
    uint32_t *cycle;
    bool *in_cycle; /* in a cycle with another function */
    bool *called;   /* by another function */
    int64_t *self;
    int64_t *entering; /* edges from outside of the cycle; rows of n_events, as `self` */
    int64_t *leaving;  /* edges that leave the cycle */
};

static void find_cycles(struct edge_sums *s, const struct cprof_profile *p)
{
    uint32_t *members = xcalloc(p->n_functions, sizeof *members);

    s->cycle = cycles_find(p);
    s->in_cycle = xcalloc(p->n_functions, sizeof *s->in_cycle);
    for (uint32_t i = 0; i < p->n_functions; i++)
        members[s->cycle[i]]++;
    for (uint32_t i = 0; i < p->n_functions; i++)
        s->in_cycle[i] = members[s->cycle[i]] > 1;
    free(members);
}

static void add_edges(struct edge_sums *s, const struct cprof_profile *p)
{
    size_t size = (size_t)p->n_functions * p->n_events;

    s->called = xcalloc(p->n_functions, sizeof *s->called);
    s->self = xcalloc(size, sizeof *s->self);
    s->entering = xcalloc(size, sizeof *s->entering);
    s->leaving = xcalloc(size, sizeof *s->leaving);
    for (uint32_t i = 0; i < p->n_costs; i++)
        counts_add(row_of(p, s->self, p->costs[i].function), cprof_cost_values(p, i), p->n_events);
    for (uint32_t i = 0; i < p->n_calls; i++) {
        uint32_t caller = p->calls[i].caller, callee = p->calls[i].callee;

        if (s->cycle[caller] == s->cycle[callee])
            continue; /* nor does a function enter itself */
        s->called[callee] |= p->calls[i].count > 0;
        counts_add(row_of(p, s->entering, callee), cprof_call_values(p, i), p->n_events);
        counts_add(row_of(p, s->leaving, caller), cprof_call_values(p, i), p->n_events);
    }
}

/* Chooses inclusive costs by the rule in the header. */
static void choose_sums(struct graph *g, const struct cprof_profile *p, const struct edge_sums *s)
{
    for (uint32_t i = 0; i < p->n_functions; i++) {
        int64_t *result = row_of(p, g->inclusive, i), *self = row_of(p, s->self, i);
        const int64_t *in = row_of(p, s->entering, i);

        counts_add(result, self, p->n_events);
        counts_add(result, row_of(p, s->leaving, i), p->n_events);
        g->bounds[i] = s->in_cycle[i] ? BOUND_LEAST : BOUND_EXACT;
        for (uint32_t e = 0; e < p->n_events; e++) {
            if (s->in_cycle[i] ? in[e] > result[e] : s->called[i])
                result[e] = in[e];
            if (result[e] < self[e])
                result[e] = self[e];
            if (result[e] > p->totals[e]) {
                result[e] = p->totals[e];
                g->bounds[i] = BOUND_TOTAL;
            }
        }
    }
}

static void add_up(struct graph *g, const struct cprof_profile *p)
{
    struct edge_sums s;

    find_cycles(&s, p);
    add_edges(&s, p);
    choose_sums(g, p, &s);
    free(s.cycle);
    free(s.in_cycle);
    free(s.called);
    free(s.self);
    free(s.entering);
    free(s.leaving);
}

void graph_load(struct graph *g, const struct cprof_profile *p)
{
    size_t size = (size_t)p->n_functions * p->n_events;

    *g = (struct graph){.known = graph_is_known(p)};
    if (!g->known)
        return;
    g->calls = xcalloc(p->n_functions, sizeof *g->calls);
    g->inclusive = xcalloc(size, sizeof *g->inclusive);
    g->bounds = xcalloc(p->n_functions, sizeof *g->bounds);
    count_calls(g, p);
    if (!p->inclusive) {
        add_up(g, p);
        return;
    }
    memcpy(g->inclusive, p->inclusive, size * sizeof *g->inclusive);
    for (uint32_t i = 0; i < p->n_functions; i++)
        g->bounds[i] = p->functions[i].inclusive_least ? BOUND_LEAST : BOUND_EXACT;
}

static uint32_t parent_of(const uint32_t *parents, size_t size, uint32_t i)
{
    return *(const uint32_t *)((const char *)parents + i * size);
}

int64_t *path_sums(const struct paths *paths)
{
    size_t n = paths->profile->n_events;
    int64_t *sums = xcalloc(paths->n * n, sizeof *sums);

    for (uint32_t i = paths->n; i-- > 0;) {
        const struct cprof_context *c = &paths->contexts[i];
        int64_t *sum = sums + i * n;

        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            counts_add(sum, paths_values(paths, k), n);
        if (c->parent != CPROF_NONE)
            counts_add(sums + c->parent * n, sum, n);
    }
    return sums;
}

void tree_walk(const uint32_t *parents, size_t size, uint32_t n, paths_enter *enter,
               paths_leave *leave, void *data)
{
    uint32_t *child = new_indices(n), *next = new_indices(n), root = CPROF_NONE;

    for (uint32_t i = n; i-- > 0;) {
        uint32_t parent = parent_of(parents, size, i);
        uint32_t *first = parent == CPROF_NONE ? &root : &child[parent];

        next[i] = *first;
        *first = i;
    }
    for (uint32_t i = root; i != CPROF_NONE && enter(data, i);) {
        if (child[i] != CPROF_NONE) {
            i = child[i];
            continue;
        }
        for (; i != CPROF_NONE && next[i] == CPROF_NONE; i = parent_of(parents, size, i))
            leave(data, i);
        if (i != CPROF_NONE) {
            leave(data, i);
            i = next[i];
        }
    }
    free(child);
    free(next);
}

void paths_walk(const struct paths *paths, paths_enter *enter, paths_leave *leave, void *data)
{
    if (paths->n)
        tree_walk(&paths->contexts->parent, sizeof *paths->contexts, paths->n, enter, leave, data);
}

void graph_free(struct graph *g)
{
    free(g->inclusive);
    free(g->calls);
    free(g->bounds);
    *g = (struct graph){.known = false};
}
