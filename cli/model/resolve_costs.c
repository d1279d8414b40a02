#include <config.h>

/*
 * What contexts cost. A section is the same in all contexts: what its instructions come to by their
 * new names is worked out once (primary data structure: struct section_costs), and each context
 * that ran it only multiplies. Without sections each cost record of a context is looked up.
 */
#include "model/resolver.h"

#include "base/memory.h"
#include "model/graph.h"
#include "sections.h"

#include <stdlib.h>
#include <string.h>

/* What some instructions of a section are, and count together per execution. */
struct group {
    struct cprof_cost cost;
    uint32_t chain;
    uint32_t first; /* the least index of their raw costs */
    uint32_t counts[SECTION_EVENTS];
};

/* The groups of section i are groups[starts[i]] to groups[starts[i + 1]]. */
struct section_costs {
    size_t n, room;
    struct group *groups;
    size_t *starts;
};

/* A cost of a raw context, and the new context that it goes to. */
struct part {
    struct cprof_cost cost;
    uint32_t chain, first; /* as in its group */
    uint32_t context;
    uint32_t row; /* its counts are this row of `values`; they come in that order */
};

struct parts {
    uint32_t n, room;
    bool inlined; /* some has a chain */
    struct part *items;
    int64_t *values; /* rows of n_events */
};

/* The new name of a raw cost, as far as it is asked for. */
static struct group group_of(const struct resolver *r, uint32_t cost)
{
    struct group g = {
        .cost = resolver_cost(r, cost), .chain = r->places[cost].chain, .first = cost};

    if (r->brief)
        g.cost.address = 0;
    return g;
}

static bool same_cost(const struct cprof_cost *a, const struct cprof_cost *b)
{
    return a->function == b->function && a->file == b->file && a->line == b->line &&
           a->address == b->address;
}

/* The group of section `first` (where its groups begin) that is equal to `g`, made if new. */
static struct group *add_group(struct section_costs *c, size_t first, const struct group *g)
{
    for (size_t i = c->n; i-- > first;)
        if (c->groups[i].chain == g->chain && same_cost(&c->groups[i].cost, &g->cost))
            return &c->groups[i];
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 1024;
        c->groups = xreallocarray(c->groups, c->room, sizeof *c->groups);
    }
    c->groups[c->n] = *g;
    return &c->groups[c->n++];
}

static struct section_costs new_section_costs(const struct resolver *r, const struct sections *s)
{
    struct section_costs c = {.n = 0};

    c.starts = xreallocarray(NULL, s->n_sections + 1, sizeof *c.starts);
    for (size_t i = 0; i < s->n_sections; i++) {
        const struct section_instruction *in = s->instructions + s->sections[i].first;

        c.starts[i] = c.n;
        for (size_t k = 0; k < s->sections[i].size; k++) {
            struct group new = group_of(r, in[k].cost), *g = add_group(&c, c.starts[i], &new);

            if (g->first > new.first)
                g->first = new.first;
            for (int e = 0; e < SECTION_EVENTS; e++)
                g->counts[e] += in[k].counts[e];
        }
    }
    c.starts[s->n_sections] = c.n;
    return c;
}

/* A new row of zeros for a cost of the context at hand. What follows its like is added to that. */
static int64_t *add_part(struct resolver *r, struct parts *parts, const struct group *g)
{
    uint32_t n_events = r->raw->n_events;
    struct part *last = parts->n ? &parts->items[parts->n - 1] : NULL;
    int64_t *row;

    if (last && last->chain == g->chain && same_cost(&last->cost, &g->cost)) {
        last->first = last->first < g->first ? last->first : g->first;
        return parts->values + (size_t)last->row * n_events;
    }
    if (parts->n == parts->room) {
        parts->room = parts->room ? 2 * parts->room : 256;
        parts->items = xreallocarray(parts->items, parts->room, sizeof *parts->items);
        parts->values =
            xreallocarray(parts->values, (size_t)parts->room * n_events, sizeof *parts->values);
    }
    parts->inlined |= g->chain != CHAIN_NONE;
    row = parts->values + (size_t)parts->n * n_events;
    memset(row, 0, n_events * sizeof *row);
    parts->items[parts->n] = (struct part){g->cost, g->chain, g->first, CPROF_NONE, parts->n};
    parts->n++;
    return row;
}

static void add_count(struct resolver *r, struct parts *parts, const struct section_costs *c,
                      const struct sections *s, const struct section_count *count)
{
    for (size_t i = c->starts[count->section]; i < c->starts[count->section + 1]; i++) {
        int64_t *row = add_part(r, parts, &c->groups[i]);

        for (int e = 0; e < SECTION_EVENTS; e++) {
            int64_t more = count->count * (int64_t)c->groups[i].counts[e];

            if (s->events[e] != CPROF_NONE)
                counts_add(&row[s->events[e]], &more, 1);
        }
    }
}

static void add_cost(struct resolver *r, struct parts *parts, uint32_t cost, const int64_t *values)
{
    struct group g = group_of(r, cost);

    counts_add(add_part(r, parts, &g), values, r->raw->n_events);
}

static int compare_firsts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

static int compare_contexts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Finds the new contexts of the parts of raw context `i`, and puts them in the order of these. What
 * was inlined comes in the order of addresses, whatever order sections were counted in. */
static bool find_contexts(struct resolver *r, struct parts *parts, uint32_t i)
{
    bool stub = r->stubs[r->raw->contexts[i].function], several = parts->inlined && !stub;

    if (several)
        qsort(parts->items, parts->n, sizeof *parts->items, compare_firsts);
    for (uint32_t k = 0; k < parts->n; k++) {
        struct part *p = &parts->items[k];

        p->context = stub ? r->contexts[i] : resolver_inlined_path(r, r->contexts[i], p->chain);
        if (p->context == CPROF_NONE)
            return false;
    }
    if (several)
        qsort(parts->items, parts->n, sizeof *parts->items, compare_contexts);
    return true;
}

/* Hands the parts to the builder, one context after the other as it likes it, and forgets them. */
static bool put_parts(struct resolver *r, struct parts *parts, uint32_t i)
{
    uint32_t n_events = r->raw->n_events;

    if (!find_contexts(r, parts, i))
        return false;
    for (uint32_t k = 0; k < parts->n; k++) {
        const struct part *p = &parts->items[k];
        const int64_t *values = parts->values + (size_t)p->row * n_events;

        if (builder_context_cost(r->builder, p->context, &p->cost, values) != 0)
            return false;
        if (r->chains.n)
            counts_add(r->sums + (size_t)p->context * n_events, values, n_events);
    }
    parts->n = 0;
    parts->inlined = false;
    return true;
}

/* Contexts, each with its costs: counts and misses are in the order of contexts. */
static void put_sections(struct resolver *r, const struct sections *s)
{
    const struct cprof_profile *raw = r->raw;
    struct section_costs costs = new_section_costs(r, s);
    struct parts parts = {.n = 0};
    size_t count = 0, miss = 0;
    bool ok = true;

    for (uint32_t i = 0; ok && i < raw->n_contexts; i++) {
        ok = resolver_put_context(r, i);
        for (; ok && count < s->n_counts && s->counts[count].context == i; count++)
            if (s->counts[count].count)
                add_count(r, &parts, &costs, s, &s->counts[count]);
        for (; ok && miss < s->n_misses && s->misses[miss].context == i; miss++)
            add_cost(r, &parts, s->misses[miss].cost, s->miss_values + miss * raw->n_events);
        ok = ok && put_parts(r, &parts, i);
    }
    free(parts.items);
    free(parts.values);
    free(costs.groups);
    free(costs.starts);
}

static void put_records(struct resolver *r)
{
    const struct cprof_profile *raw = r->raw;
    struct parts parts = {.n = 0};
    bool ok = true;

    for (uint32_t i = 0; ok && i < raw->n_contexts; i++) {
        const struct cprof_context *c = &raw->contexts[i];

        ok = resolver_put_context(r, i);
        for (uint32_t k = c->first_cost; ok && k < c->first_cost + c->n_costs; k++)
            add_cost(r, &parts, resolver_find_cost(raw, &raw->context_costs[k]),
                     cprof_context_values(raw, k));
        ok = ok && put_parts(r, &parts, i);
    }
    free(parts.items);
    free(parts.values);
}

void resolver_put_contexts(struct resolver *r)
{
    const struct sections *sections = profile_sections(r->raw);

    r->contexts = xreallocarray(NULL, r->raw->n_contexts, sizeof *r->contexts);
    if (sections)
        put_sections(r, sections);
    else
        put_records(r);
}
