#include <config.h>

/*
 * The addresses of the raw profile are gone through object by object, so that one ELF file is open
 * at a time: what costs, functions and call sites come to is noted in arrays (primary data
 * structure: struct resolver). Then the new profile is put together from these by the library's
 * builder, which interns and adds up.
 */
#include "model/resolve.h"

#include "base/memory.h"
#include "builder.h"
#include "model/copy.h"
#include "model/namer.h"
#include "model/unnamed.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct site {
    uint32_t file, line; /* CPROF_NONE, 0: not known */
};

struct resolver {
    const struct cprof_profile *raw;
    struct builder *builder;
    struct place *places;       /* of each cost */
    uint32_t *functions;        /* of each function, the new one */
    bool *stubs;                /* of each function */
    struct site *context_sites; /* of each context */
    struct site *call_sites;    /* of each call */
    uint32_t *order;            /* costs by object: see order_by_object() */
    size_t *starts;
};

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

static void name_site(struct namer *namer, uint64_t address, struct site *site)
{
    if (address)
        (void)namer_line(namer, address, &site->file, &site->line);
}

/*
 * The function of a context or a call, which begins at `address` of an object. Code that no symbol
 * covers may have been found by where the function before it ends, with padding in between: then it
 * is the first of its instructions that ran which tells.
 */
static uint32_t name_function(const struct resolver *r, struct namer *namer, uint32_t object,
                              uint64_t address)
{
    uint32_t function = namer_find_function(namer, address);
    size_t low = r->starts[object], high = r->starts[object + 1];

    if (function != CPROF_NONE)
        return function;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (r->raw->costs[r->order[middle]].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < r->starts[object + 1])
        address = r->raw->costs[r->order[low]].address;
    return namer_function(namer, address);
}

/* The object that the context's call site is in; CPROF_NONE: none. */
static uint32_t site_object(const struct cprof_profile *raw, const struct cprof_context *c)
{
    return c->parent == CPROF_NONE ? CPROF_NONE
                                   : raw->functions[raw->contexts[c->parent].function].object;
}

/* Names all that is in object `i`. */
static enum name_quality name_object(struct resolver *r, uint32_t object)
{
    const struct cprof_profile *raw = r->raw;
    bool has_paths = raw->n_contexts || raw->n_calls || raw->inclusive;
    struct namer namer;

    namer_open(&namer, r->builder, &raw->objects[object]);
    for (size_t i = r->starts[object]; i < r->starts[object + 1]; i++)
        namer_place(&namer, raw->costs[r->order[i]].address, &r->places[r->order[i]]);
    for (uint32_t i = 0; has_paths && i < raw->n_functions; i++) {
        if (raw->functions[i].object != object || !raw->functions[i].address)
            continue;
        r->functions[i] = name_function(r, &namer, object, raw->functions[i].address);
        r->stubs[i] = namer_is_stub(&namer, raw->functions[i].address);
    }
    for (uint32_t i = 0; i < raw->n_contexts; i++)
        if (site_object(raw, &raw->contexts[i]) == object)
            name_site(&namer, raw->contexts[i].site, &r->context_sites[i]);
    for (uint32_t i = 0; i < raw->n_calls; i++)
        if (raw->functions[raw->calls[i].caller].object == object)
            name_site(&namer, raw->calls[i].address, &r->call_sites[i]);
    return namer_close(&namer);
}

/* The new function of a raw one; made here where it has no address that could be named. */
static uint32_t function_of(struct resolver *r, uint32_t function)
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

static struct cprof_cost named_cost(const struct resolver *r, uint32_t index)
{
    const struct place *p = &r->places[index];

    return (struct cprof_cost){p->function, p->file, p->line, r->raw->costs[index].address};
}

static void put_costs(struct resolver *r)
{
    for (uint32_t i = 0; i < r->raw->n_costs; i++) {
        struct cprof_cost cost = named_cost(r, i);

        if (builder_cost(r->builder, &cost, cprof_cost_values(r->raw, i)) != 0)
            break;
    }
}

/* The cost of the whole program at the address of a context's cost: they are sorted by function
 * and address, having no lines. */
static uint32_t find_cost(const struct cprof_profile *raw, const struct cprof_cost *key)
{
    uint32_t low = 0, high = raw->n_costs;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct cprof_cost *c = &raw->costs[middle];

        if (c->function < key->function ||
            (c->function == key->function && c->address < key->address))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * The new context of raw context `i`: its parent's where it is a stub, through which calls only
 * pass. `contexts` has those before it.
 */
static uint32_t put_context(struct resolver *r, uint32_t i, const uint32_t *contexts)
{
    const struct cprof_context *c = &r->raw->contexts[i];
    struct cprof_context new = {.parent = CPROF_NONE, .calls = c->calls};

    if (c->parent != CPROF_NONE && r->stubs[c->function])
        return contexts[c->parent];
    new.function = function_of(r, c->function);
    new.site_file = r->context_sites[i].file;
    new.site_line = r->context_sites[i].line;
    new.site = c->site;
    if (c->parent != CPROF_NONE) {
        new.parent = contexts[c->parent];
        if (r->stubs[r->raw->contexts[c->parent].function]) {
            new.site_file = CPROF_NONE;
            new.site_line = 0;
            new.site = 0;
        }
    }
    return builder_context(r->builder, &new);
}

static void put_contexts(struct resolver *r)
{
    const struct cprof_profile *raw = r->raw;
    uint32_t *contexts = xreallocarray(NULL, raw->n_contexts, sizeof *contexts);
    bool failed = false;

    for (uint32_t i = 0; i < raw->n_contexts && !failed; i++) {
        const struct cprof_context *c = &raw->contexts[i];

        contexts[i] = put_context(r, i, contexts);
        failed = contexts[i] == CPROF_NONE;
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs && !failed; k++) {
            struct cprof_cost cost = named_cost(r, find_cost(raw, &raw->context_costs[k]));

            failed = builder_context_cost(r->builder, contexts[i], &cost,
                                          cprof_context_values(raw, k)) != 0;
        }
    }
    free(contexts);
}

static void put_calls(struct resolver *r)
{
    for (uint32_t i = 0; i < r->raw->n_calls; i++) {
        struct cprof_call call = r->raw->calls[i];

        call.caller = function_of(r, call.caller);
        call.callee = function_of(r, call.callee);
        call.file = r->call_sites[i].file;
        call.line = r->call_sites[i].line;
        if (builder_call(r->builder, &call, cprof_call_values(r->raw, i)) != 0)
            break;
    }
}

/* The larger of two rows of counts, into the first. */
static void raise_to(int64_t *counts, const int64_t *least, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (counts[i] < least[i])
            counts[i] = least[i];
}

static void add_to(int64_t *counts, const int64_t *more, const int64_t *limit, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (__builtin_add_overflow(counts[i], more[i], &counts[i]) || counts[i] > limit[i])
            counts[i] = limit[i];
}

/*
 * Inclusive counts by the new functions. One that has several beginnings has the sum of theirs, as
 * far as the program's total allows. Code that is run into from the function before it is on no
 * stack, but its own cost is spent in it for certain.
 */
static void put_inclusive(struct resolver *r)
{
    const struct cprof_profile *raw = r->raw;
    uint32_t n = raw->n_events, n_functions = 0;
    int64_t *inclusive, *self;

    for (uint32_t i = 0; i < raw->n_functions; i++)
        if (raw->functions[i].address && function_of(r, i) >= n_functions)
            n_functions = r->functions[i] + 1;
    for (uint32_t i = 0; i < raw->n_costs; i++)
        if (r->places[i].function >= n_functions)
            n_functions = r->places[i].function + 1;
    if (n_functions == 0) /* which is CPROF_NONE + 1: out of memory */
        return;
    inclusive = xcalloc((size_t)n_functions * n, sizeof *inclusive);
    self = xcalloc((size_t)n_functions * n, sizeof *self);
    for (uint32_t i = 0; i < raw->n_costs; i++)
        add_to(self + (size_t)r->places[i].function * n, cprof_cost_values(raw, i), raw->totals, n);
    for (uint32_t i = 0; i < raw->n_functions; i++)
        if (raw->functions[i].address)
            add_to(inclusive + (size_t)r->functions[i] * n, cprof_inclusive_values(raw, i),
                   raw->totals, n);
    for (uint32_t i = 0; i < n_functions; i++) {
        raise_to(inclusive + (size_t)i * n, self + (size_t)i * n, n);
        if (builder_inclusive(r->builder, i, inclusive + (size_t)i * n) != 0)
            break;
    }
    free(inclusive);
    free(self);
}

static struct site *new_sites(uint32_t n)
{
    struct site *sites = xreallocarray(NULL, n, sizeof *sites);

    for (uint32_t i = 0; i < n; i++)
        sites[i] = (struct site){CPROF_NONE, 0};
    return sites;
}

static void resolve(struct builder *b, const struct cprof_profile *raw,
                    enum name_quality *qualities)
{
    struct resolver r = {.raw = raw, .builder = b};

    r.places = xcalloc(raw->n_costs, sizeof *r.places);
    r.functions = xreallocarray(NULL, raw->n_functions, sizeof *r.functions);
    r.stubs = xcalloc(raw->n_functions, sizeof *r.stubs);
    r.context_sites = new_sites(raw->n_contexts);
    r.call_sites = new_sites(raw->n_calls);
    for (uint32_t i = 0; i < raw->n_functions; i++)
        r.functions[i] = CPROF_NONE;
    order_by_object(&r);
    for (uint32_t i = 0; i < raw->n_objects; i++) {
        enum name_quality quality = name_object(&r, i);

        if (qualities)
            qualities[i] = quality;
    }
    if (raw->n_contexts)
        put_contexts(&r);
    else
        put_costs(&r);
    put_calls(&r);
    if (raw->inclusive)
        put_inclusive(&r);
    free(r.places);
    free(r.functions);
    free(r.stubs);
    free(r.context_sites);
    free(r.call_sites);
    free(r.order);
    free(r.starts);
}

/* A profile with names: of another format, or resolved before. */
static bool has_names(const struct cprof_profile *p)
{
    if (p->format != CPROF_FORMAT_RAW)
        return true;
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (p->functions[i].object != CPROF_NONE && strcmp(p->functions[i].name, UNNAMED) != 0)
            return true;
    return false;
}

/* What names of a profile that came with them are worth: it says so itself. */
static void judge_names(const struct cprof_profile *p, enum name_quality *qualities)
{
    for (uint32_t i = 0; i < p->n_objects; i++)
        qualities[i] = p->has_lines ? NAMES_LINES : NAMES_SYMBOLS;
}

struct cprof_profile *resolve_profile(const struct cprof_profile *raw, enum name_quality *qualities,
                                      struct cprof_error *error)
{
    struct builder *b;

    *error =
        (struct cprof_error){.code = CPROF_OK}; /* the first error wins, and an older one would */
    b = builder_new(error);
    /* Nothing here asks a server, and a library below must not either. */
    unsetenv("DEBUGINFOD_URLS");
    if (!b)
        return NULL;
    copy_header(b, raw);
    if (has_names(raw)) {
        copy_costs(b, raw);
        if (qualities)
            judge_names(raw, qualities);
    } else {
        resolve(b, raw, qualities);
    }
    return builder_finish(b);
}
