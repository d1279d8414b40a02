#include <config.h>

/* Contexts and calls with names: inlined functions become contexts of their own. */
#include "base/array.h"
#include "resolve/resolver.h"

#include <stdlib.h>
#include <string.h>

struct path_key {
    uint32_t base, chain;
};

static int equal_path(const void *owner, uint32_t index, const void *key)
{
    const struct path *a = (const struct path *)owner + index;
    const struct path_key *b = key;

    return a->base == b->base && a->chain == b->chain;
}

static uint32_t hash_path(const struct path_key *key)
{
    return map_hash(map_mix(key->base, key->chain));
}

uint32_t resolver_find_path(const struct resolver *r, uint32_t base, uint32_t chain)
{
    struct path_key key = {base, chain};
    uint32_t found;

    if (chain == CHAIN_NONE)
        return base;
    found = map_find(&r->path_map, hash_path(&key), equal_path, r->paths, &key);
    return found == MAP_NONE ? CPROF_NONE : found;
}

/* A new context. Those of the builder and of `paths` have the same indices. CPROF_NONE: failed. */
static uint32_t add_path(struct resolver *r, const struct cprof_context *context, uint32_t base,
                         uint32_t chain)
{
    uint32_t index = builder_context(r->builder, context), room = r->paths_room;

    if (index == CPROF_NONE || !r->keeps_paths)
        return index;
    GROW(r->paths, index, r->paths_room);
    if (r->paths_room != room)
        r->sums = xreallocarray(r->sums, (size_t)r->paths_room * r->raw->n_events, sizeof *r->sums);
    memset(r->sums + (size_t)index * r->raw->n_events, 0, r->raw->n_events * sizeof *r->sums);
    r->paths[index] = (struct path){context->parent, context->function, chain,
                                    chain == CHAIN_NONE ? index : base};
    r->n_paths = index + 1;
    return index;
}

static uint32_t add_inlined(struct resolver *r, uint32_t parent, uint32_t base, uint32_t chain)
{
    const struct inline_chain *c = &r->chains.items[chain];
    struct cprof_context context = {.parent = parent,
                                    .function = c->function,
                                    .site_file = c->file,
                                    .site_line = c->line,
                                    .inlined = 1};
    struct path_key key = {base, chain};
    uint32_t index = add_path(r, &context, base, chain);

    if (index != CPROF_NONE && map_add(&r->path_map, hash_path(&key), index) != 0)
        memory_die();
    return index;
}

uint32_t resolver_root(struct resolver *r, uint32_t function)
{
    const struct cprof_context context = {
        .parent = CPROF_NONE, .function = function, .site_file = CPROF_NONE};

    return add_path(r, &context, 0, CHAIN_NONE);
}

uint32_t resolver_inlined_path(struct resolver *r, uint32_t base, uint32_t chain)
{
    uint32_t found = resolver_find_path(r, base, chain), parent;

    if (found != CPROF_NONE)
        return found;
    parent = resolver_inlined_path(r, base, r->chains.items[chain].parent);
    return parent == CPROF_NONE ? CPROF_NONE : add_inlined(r, parent, base, chain);
}

/* Tells whether a function of the run only goes on in one that is a part of the same function. */
static bool goes_on(struct resolver *r, uint32_t from, uint32_t to)
{
    return r->parts[to] && resolver_function(r, from) == resolver_function(r, to);
}

/* Finds parts whose calls are all by others: those by which a function goes on in one are not
 * counted as calls in newer profiles. */
void resolver_find_counts(struct resolver *r)
{
    for (uint32_t i = 0; i < r->raw->n_functions; i++)
        r->counts_others[i] = r->parts[i];
    for (uint32_t i = 0; i < r->raw->n_calls; i++) {
        const struct cprof_call *call = &r->raw->calls[i];

        if (call->count && goes_on(r, call->caller, call->callee))
            r->counts_others[call->callee] = false;
    }
}

/*
 * The new context of raw context `i`: its parent's where it is a stub, through which calls only
 * pass, or a part of its parent. A call from inlined code hangs under the context of that.
 */
static uint32_t put_context(struct resolver *r, uint32_t i)
{
    const struct cprof_context *c = &r->raw->contexts[i];
    struct call_site site = resolver_site(r->context_sites, i);
    struct cprof_context context = {.parent = CPROF_NONE, .calls = c->calls};

    if (c->parent != CPROF_NONE) {
        context.parent = r->contexts[c->parent];
        if (goes_on(r, r->raw->contexts[c->parent].function, c->function)) {
            if (r->counts_others[c->function])
                (void)builder_context_calls(r->builder, context.parent, c->calls);
            return context.parent;
        }
        if (!r->stub_contexts[c->parent]) {
            context.parent = resolver_inlined_path(r, r->contexts[c->parent], site.chain);
            if (context.parent == CPROF_NONE || r->stubs[c->function])
                return context.parent;
        } else if (r->stubs[c->function]) {
            return context.parent;
        }
    }
    context.function = resolver_function(r, c->function);
    context.site_file = site.file;
    context.site_line = site.line;
    context.site = c->site;
    if (c->parent != CPROF_NONE && r->stub_contexts[c->parent]) {
        context.site_file = CPROF_NONE;
        context.site_line = 0;
        context.site = 0;
    }
    return add_path(r, &context, 0, CHAIN_NONE);
}

bool resolver_put_context(struct resolver *r, uint32_t i)
{
    r->stub_contexts[i] = r->stubs[r->raw->contexts[i].function];
    r->contexts[i] = put_context(r, i);
    return r->contexts[i] != CPROF_NONE;
}

void resolver_put_calls(struct resolver *r)
{
    for (uint32_t i = 0; i < r->raw->n_calls; i++) {
        struct cprof_call call = r->raw->calls[i];
        struct call_site site = resolver_site(r->call_sites, i);

        if (goes_on(r, call.caller, call.callee))
            continue;
        call.caller = site.chain == CHAIN_NONE ? resolver_function(r, call.caller)
                                               : r->chains.items[site.chain].function;
        call.callee = resolver_function(r, call.callee);
        call.file = site.file;
        call.line = site.line;
        if (builder_call(r->builder, &call, cprof_call_values(r->raw, i)) != 0)
            break;
    }
}
