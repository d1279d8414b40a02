/*
 * resolver.h - inside of resolve: resolve.c names the addresses of each object and makes contexts
 * and calls, resolve_costs.c has the costs of contexts and how often inlined functions and lines
 * ran, resolve_inclusive.c the inclusive costs of functions, resolve_data.c data and its types.
 */
#ifndef RESOLVE_RESOLVER_H
#define RESOLVE_RESOLVER_H

#include "cprof_internal.h"
#include "symbols/object_names.h"

#include <stdbool.h>

struct call_site {
    uint32_t file, line; /* CPROF_NONE, 0: not known */
    uint32_t chain;      /* what was inlined there */
};

/* A context of the new profile. */
struct path {
    uint32_t parent; /* CPROF_NONE: a root */
    uint32_t function;
    uint32_t chain; /* CHAIN_NONE: one that was called */
    uint32_t base;  /* the context that was called, whose code it is */
};

/* The type of a datum. Of blocks, the object of the frame nearest to the allocation says it. */
struct data_type {
    uint32_t type;     /* the builder's; CPROF_NONE: not known */
    uint32_t distance; /* of that frame, in contexts */
};

struct resolver {
    const struct cprof_profile *raw;
    struct builder *builder;
    bool inlines;        /* they are asked for */
    bool brief;          /* costs of contexts: see struct resolve_settings */
    uint32_t first_heap; /* the heap's events, behind all others; n_events: there are none */
    struct inline_chains chains;
    struct compiled_place *places; /* of each cost */
    uint32_t *functions;           /* of each function, the new one */
    bool *stubs;                   /* of each function */
    bool *parts;         /* of each function: it is a part of the new one, not its beginning */
    bool *counts_others; /* of each part: calls by which its function goes on in it are no calls */
    /* The call sites of contexts and of calls, for resolver_site(); NULL: none is known. */
    struct call_site *context_sites;
    struct call_site *call_sites;
    uint32_t *site_objects; /* of each context: where its call site is; CPROF_NONE: it has none */
    uint32_t *order;        /* costs by object: see order_by_object() */
    size_t *starts;
    struct data_type *data_types; /* of each datum; NULL: there is none */
    uint32_t *contexts;           /* of each context, the new one */
    bool *stub_contexts;          /* of each context: its function is a stub */
    bool *merged; /* of each new function, n_merged of them: several of the run are this one */
    uint32_t n_merged;
    bool keeps_paths; /* inclusive costs follow from paths: there are chains, or merged functions */
    /* When all names are there, contexts are made with: */
    uint32_t n_paths, paths_room;
    struct path *paths;  /* per new context; parents stand before their children */
    struct map path_map; /* those with a chain, by base and chain */
    int64_t *sums;       /* what they cost, n_paths rows of n_events */
};

/* One of the sites. */
static inline struct call_site resolver_site(const struct call_site *sites, uint32_t i)
{
    return sites ? sites[i] : (struct call_site){CPROF_NONE, 0, CHAIN_NONE};
}

/* The new function of a raw one; made here where it has no address that could be named. */
uint32_t resolver_function(struct resolver *r, uint32_t function);
/* Cost record `index` by its new names. */
struct cprof_cost resolver_cost(const struct resolver *r, uint32_t index);
/* The heap's counts of a cost record by their new names: allocations are the called function's,
 * whatever is inlined where that begins. */
struct cprof_cost resolver_heap_cost(const struct resolver *r, uint32_t index);
/* True where that is not where the others are. */
bool resolver_is_divided(const struct resolver *r, uint32_t index);

/* The context of `chain` in `base`, made with all between them if new; CPROF_NONE: failed. Chains
 * are no longer than a walk through debug information is deep. */
uint32_t resolver_inlined_path(struct resolver *r, uint32_t base, uint32_t chain);
/* A new context of a function that nobody called; CPROF_NONE: failed. */
uint32_t resolver_root(struct resolver *r, uint32_t function);
/* Raw context `i`, whose parent is there already, without its costs. Returns false on failure. */
bool resolver_put_context(struct resolver *r, uint32_t i);
/* Finds which functions of the run are one. */
void resolver_find_merged(struct resolver *r);
/* How often stubs of an object were entered. */
void resolver_count_stubs(struct resolver *r, const struct object_names *names, uint32_t object);
/* How often inlined functions of an object were entered, and lines ran, when the places of all
 * its costs are known. */
void resolver_count_runs(struct resolver *r, struct object_names *names, uint32_t object);
/* All costs of the program. */
void resolver_put_costs(struct resolver *r);
/* All costs of the program, and all contexts with theirs. */
void resolver_put_contexts(struct resolver *r);
/* All costs of the program, and contexts of functions and what was inlined into them, without
 * calls. */
void resolver_put_inlined(struct resolver *r);
/* The new context of `chain` in new context `base`; CPROF_NONE: there is none. */
uint32_t resolver_find_path(const struct resolver *r, uint32_t base, uint32_t chain);
/* Finds what an object says of the types of data. */
void resolver_find_types(struct resolver *r, struct object_names *names, uint32_t object);
/* Data that misses were put to, when all costs are there. */
void resolver_put_data(struct resolver *r);
/* Inclusive counts of functions, and the "calls" of inlined ones. */
void resolver_put_inclusive(struct resolver *r);

#endif
