#include <config.h>

#include "resolve/resolve.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/sort.h"
#include "derive/copy.h"
#include "derive/generics.h"
#include "derive/sections.h"
#include "derive/short_paths.h"
#include "names/object_name.h"
#include "resolve/resolver.h"

#include <stdlib.h>
#include <string.h>

/*--- Paths ---*/

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

    if (index != CPROF_NONE)
        memory_check(map_add(&r->path_map, hash_path(&key), index));
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
static void resolver_find_counts(struct resolver *r)
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

/* The calls that were counted. */
static void resolver_put_calls(struct resolver *r)
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

/*--- Names ---*/

/*
 * Resolving goes through the addresses of the raw profile object by object, so that one ELF file is
 * open at a time. It notes the names of costs, functions and call sites in arrays (primary data
 * structure: struct resolver). Then the library's builder, which interns and adds up, puts the new
 * profile together from these.
 */

/*
 * Sets `order`, the indices of all costs by object: those of object i are order[starts[i]] to
 * order[starts[i + 1]]. Costs without an object come last; a raw profile has none.
 */
static void order_by_object(struct resolver *r)
{
    const struct cprof_profile *raw = r->raw;
    size_t *next = xcalloc((size_t)raw->n_objects + 2, sizeof *next);

    r->order = xreallocarray(NULL, raw->n_costs, sizeof *r->order);
    r->starts = xcalloc((size_t)raw->n_objects + 2, sizeof *r->starts);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < raw->n_costs; i++) {
            uint32_t object = raw->functions[raw->costs[i].function].object;

            if (object >= raw->n_objects)
                object = raw->n_objects;
            if (pass == 0)
                r->starts[object + 1]++;
            else
                r->order[next[object]++] = i;
        }
        for (uint32_t i = 0; pass == 0 && i <= raw->n_objects; i++) {
            r->starts[i + 1] += r->starts[i];
            next[i + 1] = r->starts[i + 1];
        }
    }
    free(next);
}

/* The number of contexts by which prefetches are ahead. */
enum { AHEAD = 16 };

static void name_site(struct object_names *names, uint64_t address, struct call_site *site)
{
    if (!address)
        return;
    (void)object_names_line(names, address, &site->file, &site->line);
    site->chain = object_names_chain(names, address);
}

struct address_key {
    const struct cprof_cost *costs;
    uint64_t address;
};

static bool cost_is_before(const void *index, const void *key)
{
    const struct address_key *k = key;

    return k->costs[*(const uint32_t *)index].address < k->address;
}

/*
 * The function of a context or a call, which begins at `address` of an object. The tool may have
 * begun code without a symbol where the function before it ends, with padding in between: then the
 * first of its instructions that ran tells.
 */
static uint32_t name_function(const struct resolver *r, struct object_names *names, uint32_t object,
                              uint64_t address)
{
    uint32_t function = object_names_find_function(names, address);
    const uint32_t *order = r->order + r->starts[object];
    size_t n = r->starts[object + 1] - r->starts[object], first;
    struct address_key key = {r->raw->costs, address};

    if (function != CPROF_NONE)
        return function;
    first = lower_bound(order, n, sizeof *order, cost_is_before, &key);
    if (first < n)
        address = r->raw->costs[order[first]].address;
    return object_names_function(names, address);
}

/* The objects that the call sites of contexts are in; CPROF_NONE: none. The caller frees it. */
static uint32_t *find_site_objects(const struct cprof_profile *raw)
{
    uint32_t *objects = xreallocarray(NULL, raw->n_contexts, sizeof *objects);

    for (uint32_t i = 0; i < raw->n_contexts; i++) {
        const struct cprof_context *c = &raw->contexts[i], *ahead = c + AHEAD;

        if (i + AHEAD < raw->n_contexts && ahead->parent != CPROF_NONE)
            prefetch_read(&raw->contexts[ahead->parent]);
        objects[i] = c->parent == CPROF_NONE || !c->site
                         ? CPROF_NONE
                         : raw->functions[raw->contexts[c->parent].function].object;
    }
    return objects;
}

/* Tells whether samples came with the function's name: it is no file's. */
static bool came_with_name(const struct cprof_profile *raw, uint32_t function)
{
    const struct cprof_function *f = &raw->functions[function];

    return raw->sampled && f->object != CPROF_NONE && strcmp(f->name, UNNAMED) != 0;
}

/* Names the functions that begin in object `i`. */
static void name_functions(struct resolver *r, struct object_names *names, uint32_t object)
{
    const struct cprof_profile *raw = r->raw;

    for (uint32_t i = 0; i < raw->n_functions; i++) {
        if (raw->functions[i].object != object || !raw->functions[i].address ||
            came_with_name(raw, i))
            continue;
        r->functions[i] = name_function(r, names, object, raw->functions[i].address);
        r->stubs[i] = object_names_is_stub(names, raw->functions[i].address);
        r->parts[i] = object_names_is_part(names, raw->functions[i].address);
    }
}

static struct call_site *new_sites(uint32_t n)
{
    struct call_site *sites = xreallocarray(NULL, n, sizeof *sites);

    for (uint32_t i = 0; i < n; i++)
        sites[i] = (struct call_site){CPROF_NONE, 0, CHAIN_NONE};
    return sites;
}

/* Finds what was inlined, and where calls are. */
static void name_lines(struct resolver *r, struct object_names *names, uint32_t object)
{
    const struct cprof_profile *raw = r->raw;

    if (!r->site_objects) {
        r->site_objects = find_site_objects(raw);
        r->context_sites = new_sites(raw->n_contexts);
        r->call_sites = new_sites(raw->n_calls);
    }
    for (size_t i = r->starts[object]; i < r->starts[object + 1]; i++)
        r->places[r->order[i]].chain = object_names_chain(names, raw->costs[r->order[i]].address);
    resolver_count_runs(r, names, object);
    for (uint32_t i = 0; i < raw->n_contexts; i++)
        if (r->site_objects[i] == object)
            name_site(names, raw->contexts[i].site, &r->context_sites[i]);
    for (uint32_t i = 0; i < raw->n_calls; i++)
        if (raw->functions[raw->calls[i].caller].object == object)
            name_site(names, raw->calls[i].address, &r->call_sites[i]);
}

/* The addresses that cost anything in object `i`, for the caller to free. */
static uint64_t *addresses_of(const struct resolver *r, uint32_t object, size_t *n)
{
    const uint32_t *order = r->order + r->starts[object];
    uint64_t *addresses;

    *n = r->starts[object + 1] - r->starts[object];
    addresses = xreallocarray(NULL, *n, sizeof *addresses);
    for (size_t i = 0; i < *n; i++)
        addresses[i] = r->raw->costs[order[i]].address;
    return addresses;
}

static int compare_starts(const void *a, const void *b)
{
    const struct function_start *x = a, *y = b;

    return (x->address > y->address) - (x->address < y->address);
}

/* Where the functions of object `i` begin that the run has found; none of samples, whose functions
 * are those of perf. The caller frees the items. */
static struct function_starts starts_of(const struct cprof_profile *raw, uint32_t object)
{
    struct function_starts starts = {0,
                                     xreallocarray(NULL, raw->n_functions, sizeof *starts.items)};

    for (uint32_t i = 0; i < raw->n_functions && !raw->sampled; i++)
        if (raw->functions[i].object == object && raw->functions[i].address)
            starts.items[starts.n++] =
                (struct function_start){raw->functions[i].address, raw->functions[i].name};
    sort_items(starts.items, starts.n, sizeof *starts.items, compare_starts);
    return starts;
}

/* Names all that is in object `i`; chains last, as object_names.h asks for. */
static enum name_quality name_object(struct resolver *r, uint32_t object)
{
    const struct cprof_profile *raw = r->raw;
    const uint32_t *order = r->order + r->starts[object];
    size_t n;
    uint64_t *addresses = addresses_of(r, object, &n);
    struct function_starts starts = starts_of(raw, object);
    struct object_names names;
    enum name_quality quality;

    object_names_open(&names, r->builder, &raw->objects[object], r->inlines ? &r->chains : NULL,
                      &starts, addresses, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t function = raw->costs[order[i]].function;

        object_names_place(&names, addresses[i], &r->places[order[i]]);
        if (came_with_name(raw, function))
            r->places[order[i]].function = resolver_function(r, function);
    }
    free(addresses);
    if (raw->n_contexts || raw->n_calls || raw->inclusive)
        name_functions(r, &names, object);
    resolver_count_stubs(r, &names, object);
    if (object_names_is_described(&names))
        name_lines(r, &names, object);
    if (r->data_types && names.open)
        resolver_find_types(r, &names, object);
    quality = object_names_close(&names);
    free(starts.items);
    return quality;
}

uint32_t resolver_function(struct resolver *r, uint32_t function)
{
    const struct cprof_function *f = &r->raw->functions[function];

    if (r->functions[function] == CPROF_NONE) {
        const struct cprof_object *o = f->object == CPROF_NONE ? NULL : &r->raw->objects[f->object];

        r->functions[function] = builder_function(
            r->builder, f->name, NULL,
            o ? builder_object(r->builder, o->path, o->build_id) : CPROF_NONE, CPROF_NONE, 0);
    }
    return r->functions[function];
}

struct cprof_cost resolver_cost(const struct resolver *r, uint32_t index)
{
    const struct compiled_place *p = &r->places[index];
    uint32_t function = p->chain == CHAIN_NONE ? p->function : r->chains.items[p->chain].function;

    return (struct cprof_cost){function, p->file, p->line, r->raw->costs[index].address};
}

struct cprof_cost resolver_heap_cost(const struct resolver *r, uint32_t index)
{
    const struct compiled_place *p = &r->places[index];
    struct cprof_cost cost = {p->function, p->file, p->line, r->raw->costs[index].address};

    for (uint32_t i = p->chain; i != CHAIN_NONE; i = r->chains.items[i].parent) {
        cost.file = r->chains.items[i].file;
        cost.line = r->chains.items[i].line;
    }
    return cost;
}

bool resolver_is_divided(const struct resolver *r, uint32_t index)
{
    return r->places[index].chain != CHAIN_NONE &&
           counts_any(cprof_cost_values(r->raw, index) + r->first_heap,
                      r->raw->n_events - r->first_heap);
}

static void release(struct resolver *r)
{
    inline_chains_free(&r->chains);
    map_release(&r->path_map);
    free(r->places);
    free(r->functions);
    free(r->stubs);
    free(r->parts);
    free(r->counts_others);
    free(r->context_sites);
    free(r->call_sites);
    free(r->site_objects);
    free(r->order);
    free(r->starts);
    free(r->data_types);
    free(r->contexts);
    free(r->stub_contexts);
    free(r->merged);
    free(r->paths);
    free(r->sums);
}

static void resolve(struct builder *b, const struct cprof_profile *raw,
                    const struct resolve_settings *settings, enum name_quality *qualities)
{
    struct resolver r = {.raw = raw,
                         .builder = b,
                         .inlines = !settings->no_inlines,
                         .brief = settings->brief_contexts && !settings->fold_generics};

    r.first_heap = cprof_find_event(raw, "Allocs");
    if (r.first_heap > raw->n_events)
        r.first_heap = raw->n_events;
    r.places = xcalloc(raw->n_costs, sizeof *r.places);
    r.functions = new_indices(raw->n_functions);
    r.stubs = xcalloc(raw->n_functions, sizeof *r.stubs);
    r.parts = xcalloc(raw->n_functions, sizeof *r.parts);
    r.counts_others = xcalloc(raw->n_functions, sizeof *r.counts_others);
    if (raw->n_data)
        r.data_types = xreallocarray(NULL, raw->n_data, sizeof *r.data_types);
    for (uint32_t i = 0; i < raw->n_data; i++)
        r.data_types[i] = (struct data_type){CPROF_NONE, UINT32_MAX};
    order_by_object(&r);
    for (uint32_t i = 0; i < raw->n_objects; i++) {
        enum name_quality quality = name_object(&r, i);

        if (qualities)
            qualities[i] = quality;
    }
    if (raw->inclusive)
        resolver_find_merged(&r);
    r.keeps_paths |= r.chains.n > 0;
    if (raw->n_contexts) {
        builder_costs_apart(b);
        resolver_find_counts(&r);
        resolver_put_contexts(&r);
    } else if (settings->inlined_contexts && r.chains.n) {
        builder_contexts_inlined(b);
        resolver_put_inlined(&r);
    } else {
        resolver_put_costs(&r);
    }
    resolver_put_data(&r);
    resolver_put_calls(&r);
    if (raw->inclusive)
        resolver_put_inclusive(&r);
    release(&r);
}

/* A profile with names: of another format, or resolved before. Samples come with names of what is
 * no file, beginning with '[', and runs with those of files that are gone. */
static bool has_names(const struct cprof_profile *p)
{
    if (p->format != CPROF_FORMAT_RAW)
        return true;
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        if (f->object != CPROF_NONE && strcmp(f->name, UNNAMED) != 0 &&
            !(p->sampled ? p->objects[f->object].path[0] == '[' : f->address != 0))
            return true;
    }
    return false;
}

/* The quality of the names of a profile that came with them: the profile says whether it has lines.
 */
static void judge_names(const struct cprof_profile *p, enum name_quality *qualities)
{
    for (uint32_t i = 0; i < p->n_objects; i++)
        qualities[i] = p->has_lines ? NAMES_LINES : NAMES_SYMBOLS;
}

static const struct resolve_settings defaults = {.no_inlines = false};

static struct cprof_profile *replace(struct cprof_profile *old, struct cprof_profile *new)
{
    cprof_free(old);
    return new;
}

struct cprof_profile *resolve_names(struct cprof_profile *p,
                                    const struct resolve_settings *settings,
                                    struct cprof_error *error)
{
    settings = settings ? settings : &defaults;
    if (p && settings->section)
        p = replace(p, section_profile(p, settings->section, error));
    if (p && p->sampled && !settings->whole_stacks && recursion_is_on_paths(p))
        p = replace(p, recursion_fold(p, error));
    if (p && settings->fold_generics)
        p = replace(p, generics_fold(p, settings->style, error));
    return p ? names_apply(p, settings->style, error) : NULL;
}

struct cprof_profile *resolve_profile(const struct cprof_profile *raw,
                                      const struct resolve_settings *settings,
                                      enum name_quality *qualities, struct cprof_error *error)
{
    struct cprof_profile *profile;
    struct builder *b;

    settings = settings ? settings : &defaults;
    *error =
        (struct cprof_error){.code = CPROF_OK}; /* the first error wins, and an older one would */
    b = builder_new(error);
    if (!b)
        return NULL;
    copy_header(b, raw);
    if (has_names(raw)) {
        copy_costs(b, raw);
        if (qualities)
            judge_names(raw, qualities);
    } else {
        resolve(b, raw, settings, qualities);
    }
    profile = builder_finish(b);
    return resolve_names(profile, settings, error);
}
