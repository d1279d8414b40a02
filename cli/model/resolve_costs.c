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

/* The new name of a raw cost, as far as it is asked for: many have the same. Keys are numbered in
 * the order of the addresses where they are found first. */
struct key {
    struct cprof_cost cost;
    uint32_t chain;
};

struct keys {
    uint32_t n, room;
    struct key *items;
    uint32_t *of; /* of each raw cost */
    struct map map;
};

/*
 * What sections come to per execution, close together: of section i those from groups[starts[i]] to
 * groups[starts[i + 1]]. Each is a key, and what instructions of that key count of each of the
 * `n_events` that sections count, which are `events` of the profile.
 */
struct section_costs {
    uint32_t n, room;
    uint32_t *groups;
    uint32_t *starts;
    uint32_t n_events;
    int letters[SECTION_EVENTS]; /* which of a section's events each is */
    uint32_t events[SECTION_EVENTS];
};

/* A cost of a raw context, and the new context that it goes to. */
struct part {
    uint32_t key;
    uint32_t context;
    uint32_t row; /* its counts are this row of `values`; they come in that order */
};

/* Those of the context at hand. */
struct parts {
    uint32_t n, room;
    bool inlined; /* some has a chain */
    struct part *items;
    int64_t *values; /* rows of the profile's n_events */
};

struct work {
    struct resolver *r;
    uint32_t n_events;
    struct keys keys;
    struct section_costs sections;
    struct parts parts;
};

/*--- Keys ---*/

static bool same_key(const struct key *a, const struct key *b)
{
    return a->chain == b->chain && a->cost.function == b->cost.function &&
           a->cost.file == b->cost.file && a->cost.line == b->cost.line &&
           a->cost.address == b->cost.address;
}

static int equal_key(const void *owner, uint32_t index, const void *key)
{
    return same_key((const struct key *)owner + index, key);
}

/* The number of a key; most are that of the raw cost before. */
static uint32_t number_of(struct keys *k, const struct key *key, uint32_t before)
{
    uint32_t hash, found;

    if (before != CPROF_NONE && same_key(&k->items[before], key))
        return before;
    hash = map_hash(map_mix(map_mix(key->cost.address, (uint64_t)key->cost.file << 32 | key->chain),
                            (uint64_t)key->cost.function << 32 | key->cost.line));
    found = map_find(&k->map, hash, equal_key, k->items, key);
    if (found != MAP_NONE)
        return found;
    if (k->n == k->room) {
        k->room = k->room ? 2 * k->room : 1024;
        k->items = xreallocarray(k->items, k->room, sizeof *k->items);
    }
    k->items[k->n] = *key;
    if (map_add(&k->map, hash, k->n) != 0)
        memory_die();
    return k->n++;
}

static struct keys find_keys(const struct resolver *r)
{
    struct keys k = {.n = 0};

    k.of = xreallocarray(NULL, r->raw->n_costs, sizeof *k.of);
    for (uint32_t i = 0; i < r->raw->n_costs; i++) {
        struct key key = {resolver_cost(r, i), r->places[i].chain};

        if (r->brief)
            key.cost.address = 0;
        k.of[i] = number_of(&k, &key, i ? k.of[i - 1] : CPROF_NONE);
    }
    return k;
}

static void free_keys(struct keys *k)
{
    free(k->items);
    free(k->of);
    map_release(&k->map);
}

/*--- Sections ---*/

/* The counts of section `first` (where its groups begin) for instructions of a key, made if new. */
static uint32_t *add_group(struct section_costs *c, uint32_t first, uint32_t key)
{
    uint32_t size = c->n_events + 1, *group;

    for (uint32_t i = c->n; i > first; i -= size)
        if (c->groups[i - size] == key)
            return c->groups + i - size + 1;
    if (c->room - c->n < size) {
        if (c->room > UINT32_MAX / 2)
            memory_die();
        c->room = c->room ? 2 * c->room : 4096;
        c->groups = xreallocarray(c->groups, c->room, sizeof *c->groups);
    }
    group = c->groups + c->n;
    c->n += size;
    group[0] = key;
    memset(group + 1, 0, c->n_events * sizeof *group);
    return group + 1;
}

static void find_events(struct section_costs *c, const struct sections *s)
{
    for (int e = 0; e < SECTION_EVENTS; e++)
        if (s->events[e] != CPROF_NONE) {
            c->letters[c->n_events] = e;
            c->events[c->n_events++] = s->events[e];
        }
}

static void find_section_costs(struct work *w, const struct sections *s)
{
    struct section_costs *c = &w->sections;

    find_events(c, s);
    c->starts = xreallocarray(NULL, s->n_sections + 1, sizeof *c->starts);
    for (size_t i = 0; i < s->n_sections; i++) {
        const struct section_instruction *in = s->instructions + s->sections[i].first;

        c->starts[i] = c->n;
        for (size_t k = 0; k < s->sections[i].size; k++) {
            uint32_t *counts = add_group(c, c->starts[i], w->keys.of[in[k].cost]);

            for (uint32_t e = 0; e < c->n_events; e++)
                counts[e] += in[k].counts[c->letters[e]];
        }
    }
    c->starts[s->n_sections] = c->n;
}

/*--- What one context did ---*/

/* A row of zeros for a cost of the context at hand. */
static int64_t *new_part(struct work *w, uint32_t key)
{
    struct parts *parts = &w->parts;
    int64_t *row;

    if (parts->n == parts->room) {
        parts->room = parts->room ? 2 * parts->room : 256;
        parts->items = xreallocarray(parts->items, parts->room, sizeof *parts->items);
        parts->values =
            xreallocarray(parts->values, (size_t)parts->room * w->n_events, sizeof *parts->values);
    }
    if (w->r->chains.n)
        parts->inlined |= w->keys.items[key].chain != CHAIN_NONE;
    __builtin_prefetch(&w->keys.items[key]);
    row = parts->values + (size_t)parts->n * w->n_events;
    memset(row, 0, w->n_events * sizeof *row);
    parts->items[parts->n] = (struct part){key, CPROF_NONE, parts->n};
    parts->n++;
    return row;
}

/* The same, or that of its like, where it follows that. */
static inline int64_t *add_part(struct work *w, uint32_t key)
{
    const struct parts *parts = &w->parts;

    if (parts->n && parts->items[parts->n - 1].key == key)
        return parts->values + (size_t)(parts->n - 1) * w->n_events;
    return new_part(w, key);
}

/* `count` executions of a section. What contexts did is in the profile's totals, which are known to
 * be less than 2^63: so is any part of them. */
static inline void add_count(struct work *w, uint32_t section, int64_t count)
{
    const struct section_costs *c = &w->sections;
    const uint32_t *group = c->groups + c->starts[section];
    const uint32_t *end = c->groups + c->starts[section + 1];

    while (group < end) {
        int64_t *row = add_part(w, *group++);

        for (uint32_t e = 0; e < c->n_events; e++)
            row[c->events[e]] += count * (int64_t)*group++;
    }
}

/* What context `i` ran. */
static void add_runs(struct work *w, const struct sections *s, uint32_t i)
{
    const struct section_run *run = sections_first(s, i), *end = sections_end(s, i);

    for (; run < end; run = section_next(run))
        for (uint32_t k = 0; k < run->size; k++) {
            int64_t count = section_count(s, run, k);

            if (count)
                add_count(w, run->first + k, count);
        }
}

static void add_cost(struct work *w, uint32_t cost, const int64_t *values)
{
    counts_add(add_part(w, w->keys.of[cost]), values, w->n_events);
}

static int compare_keys(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
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
static bool find_contexts(struct work *w, uint32_t i)
{
    struct resolver *r = w->r;
    struct parts *parts = &w->parts;
    bool several = parts->inlined && !r->stub_contexts[i];

    if (several)
        qsort(parts->items, parts->n, sizeof *parts->items, compare_keys);
    for (uint32_t k = 0; k < parts->n; k++) {
        struct part *p = &parts->items[k];

        p->context = r->contexts[i];
        if (several)
            p->context = resolver_inlined_path(r, p->context, w->keys.items[p->key].chain);
        if (p->context == CPROF_NONE)
            return false;
    }
    if (several)
        qsort(parts->items, parts->n, sizeof *parts->items, compare_contexts);
    return true;
}

/* Hands the parts to the builder, one context after the other as it likes it, and forgets them. */
static bool put_parts(struct work *w, uint32_t i)
{
    struct resolver *r = w->r;
    struct parts *parts = &w->parts;

    if (!find_contexts(w, i))
        return false;
    for (uint32_t k = 0; k < parts->n; k++) {
        const struct part *p = &parts->items[k];
        const int64_t *values = parts->values + (size_t)p->row * w->n_events;

        if (builder_context_cost(r->builder, p->context, &w->keys.items[p->key].cost, values) != 0)
            return false;
        if (r->chains.n)
            counts_add(r->sums + (size_t)p->context * w->n_events, values, w->n_events);
    }
    parts->n = 0;
    parts->inlined = false;
    return true;
}

/*--- All contexts ---*/

/* What sections cost lies all over memory: that of contexts that come soon is asked for, and where
 * it is even sooner. In lines of the processor's cache, in words. */
enum { SOON = 8, LINE = 64 / sizeof(uint32_t) };

/* The first run of context `i`; NULL: there is none. */
static const struct section_run *first_run(const struct work *w, const struct sections *s,
                                           uint32_t i)
{
    return i < w->r->raw->n_contexts && s->first_runs[i] < s->first_runs[i + 1]
               ? sections_first(s, i)
               : NULL;
}

/* Contexts, each with its costs: runs and misses are in the order of contexts. */
static void put_sections(struct work *w, const struct sections *s)
{
    const struct section_costs *c = &w->sections;
    size_t miss = 0;
    bool ok = true;

    find_section_costs(w, s);
    for (uint32_t i = 0; ok && i < w->r->raw->n_contexts; i++) {
        const struct section_run *soon = first_run(w, s, i + SOON);
        const struct section_run *later = first_run(w, s, i + 2 * SOON);

        /* Not in a function of its own: the compiler takes one that does nothing else for one that
         * does nothing. */
        if (soon) {
            const uint32_t *groups = c->groups + c->starts[soon->first];

            __builtin_prefetch(groups);
            __builtin_prefetch(groups + LINE);
            __builtin_prefetch(groups + 2 * LINE);
        }
        if (later) {
            __builtin_prefetch(&c->starts[later->first]);
            __builtin_prefetch(&c->starts[later->first + later->size]);
        }
        if (!resolver_put_context(w->r, i))
            break;
        add_runs(w, s, i);
        for (; miss < s->n_misses && s->misses[miss].context == i; miss++)
            add_cost(w, s->misses[miss].cost, s->miss_values + miss * w->n_events);
        ok = put_parts(w, i);
    }
    free(w->sections.groups);
    free(w->sections.starts);
}

static void put_records(struct work *w)
{
    const struct cprof_profile *raw = w->r->raw;
    bool ok = true;

    for (uint32_t i = 0; ok && i < raw->n_contexts; i++) {
        const struct cprof_context *c = &raw->contexts[i];

        if (!resolver_put_context(w->r, i))
            break;
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            add_cost(w, resolver_find_cost(raw, &raw->context_costs[k]),
                     cprof_context_values(raw, k));
        ok = put_parts(w, i);
    }
}

void resolver_put_contexts(struct resolver *r)
{
    const struct sections *sections = profile_sections(r->raw);
    struct work w = {.r = r, .n_events = r->raw->n_events, .keys = find_keys(r)};

    r->contexts = xreallocarray(NULL, r->raw->n_contexts, sizeof *r->contexts);
    r->stub_contexts = xreallocarray(NULL, r->raw->n_contexts, sizeof *r->stub_contexts);
    if (sections)
        put_sections(&w, sections);
    else
        put_records(&w);
    free_keys(&w.keys);
    free(w.parts.items);
    free(w.parts.values);
}
