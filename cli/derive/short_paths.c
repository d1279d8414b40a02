#include <config.h>

#include "derive/short_paths.h"

#include "base/memory.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "derive/copy.h"
#include "names/crates.h"
#include "names/object_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*--- Recursion ---*/

/* The state to come back to when a context is left. */
struct level {
    uint32_t length;      /* of the path */
    uint32_t replaced;    /* context that was at this place of the path */
    uint32_t of_function; /* what `last` had */
};

/*
 * A walk over the contexts, from each to those below it. `path` has the builder's contexts that the
 * calls have led to, `length` of them: fewer than were entered, where recursion led back. A
 * function is on it if its last context is: places behind `length` may be old.
 */
struct fold {
    const struct cprof_profile *from;
    struct builder *builder; /* NULL: the walk only looks for recursion, and ends there */
    bool found;              /* there is recursion */
    uint32_t *contexts;      /* of each context, the builder's */
    uint32_t *path, length;
    uint32_t *places; /* in the path, of each of the builder's contexts */
    uint32_t *last;   /* of each function, its last context of the builder; CPROF_NONE: none */
    struct level *levels;
    uint32_t depth;
};

static uint32_t *new_indices(size_t n)
{
    uint32_t *indices = xreallocarray(NULL, n + 1, sizeof *indices);

    memset(indices, 0xff, (n + 1) * sizeof *indices);
    return indices;
}

/* Functions without names may be any, and inlined code is part of the function around it. */
static bool can_lead_back(const struct fold *f, const struct cprof_context *c)
{
    return !c->inlined && strcmp(f->from->functions[c->function].name, UNNAMED) != 0;
}

/* The function's context on the path, or CPROF_NONE. */
static uint32_t find_on_path(const struct fold *f, const struct cprof_context *c)
{
    uint32_t context = can_lead_back(f, c) ? f->last[c->function] : CPROF_NONE;

    return context != CPROF_NONE && f->places[context] < f->length &&
                   f->path[f->places[context]] == context
               ? context
               : CPROF_NONE;
}

/* Puts a context of the builder's at the end of the path. */
static bool extend_path(struct fold *f, uint32_t i)
{
    struct cprof_context c = f->from->contexts[i];
    uint32_t context;

    c.parent = f->length ? f->path[f->length - 1] : CPROF_NONE;
    context = f->builder ? builder_same_context(f->builder, &c) : i;
    if (context == CPROF_NONE)
        return false;
    f->contexts[i] = context;
    f->places[context] = f->length;
    f->path[f->length++] = context;
    if (can_lead_back(f, &c))
        f->last[c.function] = context;
    return true;
}

static bool put_costs(struct fold *f, uint32_t i)
{
    const struct cprof_context *c = &f->from->contexts[i];

    for (uint32_t k = c->first_cost; f->builder && k < c->first_cost + c->n_costs; k++)
        if (builder_context_cost(f->builder, f->contexts[i], &f->from->context_costs[k],
                                 cprof_context_values(f->from, k)))
            return false;
    return true;
}

static bool enter(void *data, uint32_t i)
{
    struct fold *f = data;
    const struct cprof_context *c = &f->from->contexts[i];
    uint32_t back = find_on_path(f, c);

    f->found |= back != CPROF_NONE;
    if (f->found && !f->builder)
        return false;
    f->levels[f->depth++] = (struct level){f->length, f->path[f->length], f->last[c->function]};
    if (back != CPROF_NONE) {
        f->contexts[i] = back;
        f->length = f->places[back] + 1;
    } else if (!extend_path(f, i)) {
        return false;
    }
    return put_costs(f, i);
}

static void leave(void *data, uint32_t i)
{
    struct fold *f = data;
    const struct level *level = &f->levels[--f->depth];

    f->length = level->length;
    f->path[f->length] = level->replaced;
    f->last[f->from->contexts[i].function] = level->of_function;
}

static void fold_all(struct fold *f)
{
    const struct paths paths = profile_paths(f->from);

    paths_walk(&paths, enter, leave, f);
}

static void prepare(struct fold *f, const struct cprof_profile *p, struct builder *b)
{
    *f = (struct fold){.from = p, .builder = b};
    f->contexts = new_indices(p->n_contexts);
    f->path = new_indices(p->n_contexts);
    f->places = new_indices(p->n_contexts);
    f->last = new_indices(p->n_functions);
    f->levels = xreallocarray(NULL, (size_t)p->n_contexts + 1, sizeof *f->levels);
}

static void release(struct fold *f)
{
    free(f->contexts);
    free(f->path);
    free(f->places);
    free(f->last);
    free(f->levels);
}

bool recursion_is_on_paths(const struct cprof_profile *p)
{
    struct fold f;

    prepare(&f, p, NULL);
    fold_all(&f);
    release(&f);
    return f.found;
}

struct cprof_profile *recursion_fold(const struct cprof_profile *p, struct cprof_error *error)
{
    struct builder *b;
    struct fold f;

    *error = (struct cprof_error){.code = CPROF_OK};
    if (!(b = builder_new(error)))
        return NULL;
    copy_header(b, p);
    builder_costs_apart(b);
    copy_sums(b, p);
    prepare(&f, p, b);
    fold_all(&f);
    release(&f);
    return builder_finish(b);
}

/*--- Start-up ---*/

struct folder {
    const struct cprof_profile *from;
    const bool *own;
    struct builder *builder;
    uint32_t startup;   /* the function STARTUP_NAME */
    bool *above;        /* contexts of a thread with own code that have none above them */
    uint32_t *contexts; /* the builder's context that takes the costs of each context */
};

static bool is_thread(const struct cprof_profile *p, const struct cprof_context *c)
{
    return c->parent == CPROF_NONE && root_is_thread(&p->functions[c->function]);
}

/* Finds the contexts above own code. Parents stand before their children. */
static void find_above(struct folder *f)
{
    const struct cprof_profile *p = f->from;
    bool *has = xcalloc(p->n_contexts, sizeof *has);

    for (uint32_t i = p->n_contexts; i-- > 0;) {
        has[i] |= root_may_be(p, f->own, p->contexts[i].function);
        if (p->contexts[i].parent != CPROF_NONE)
            has[p->contexts[i].parent] |= has[i];
    }
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        f->above[i] = c->parent == CPROF_NONE
                          ? is_thread(p, c) && has[i]
                          : f->above[c->parent] && !root_may_be(p, f->own, c->function);
    }
    free(has);
}

/* The builder's context for context `i`. Paths of several threads become one. */
static uint32_t context_of(const struct folder *f, uint32_t i)
{
    struct cprof_context context = f->from->contexts[i];

    if (f->above[i])
        context = (struct cprof_context){
            .parent = CPROF_NONE, .function = f->startup, .site_file = CPROF_NONE};
    else if (context.parent != CPROF_NONE && f->above[context.parent])
        context = (struct cprof_context){.parent = CPROF_NONE,
                                         .function = context.function,
                                         .site_file = CPROF_NONE,
                                         .calls = context.calls};
    else if (context.parent != CPROF_NONE)
        context.parent = f->contexts[context.parent];
    return builder_same_context(f->builder, &context);
}

/* Start-up without costs of its own gets no context. Returns -1 where the builder failed. */
static int add_context(const struct folder *f, uint32_t i)
{
    const struct cprof_profile *p = f->from;
    const struct cprof_context *c = &p->contexts[i];

    if (f->above[i] && !c->n_costs)
        return 0;
    f->contexts[i] = context_of(f, i);
    if (f->contexts[i] == CPROF_NONE)
        return -1;
    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        struct cprof_cost cost = p->context_costs[k];

        if (f->above[i])
            cost = (struct cprof_cost){.function = f->startup, .file = CPROF_NONE};
        if (builder_context_cost(f->builder, f->contexts[i], &cost, cprof_context_values(p, k)))
            return -1;
    }
    return 0;
}

struct cprof_profile *startup_profile(const struct cprof_profile *p, const bool *own,
                                      struct cprof_error *error)
{
    struct folder f = {.from = p, .own = own};
    int failed;

    *error = (struct cprof_error){.code = CPROF_OK};
    f.builder = builder_new(error);
    if (!f.builder)
        return NULL;
    f.above = xcalloc(p->n_contexts, sizeof *f.above);
    f.contexts = xcalloc(p->n_contexts, sizeof *f.contexts);
    find_above(&f);
    copy_header(f.builder, p);
    copy_names(f.builder, p);
    f.startup = builder_function(f.builder, STARTUP_NAME, NULL, CPROF_NONE, CPROF_NONE, 0);
    failed = f.startup == CPROF_NONE;
    for (uint32_t i = 0; i < p->n_contexts && !failed; i++)
        failed = add_context(&f, i);
    free(f.above);
    free(f.contexts);
    return builder_finish(f.builder);
}

/*--- Depth ---*/

/* The length of each context's path. The caller frees them. */
static uint32_t *path_lengths(const struct cprof_profile *p)
{
    uint32_t *lengths = xreallocarray(NULL, p->n_contexts, sizeof *lengths);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t parent = p->contexts[i].parent;

        lengths[i] = parent == CPROF_NONE ? 1 : lengths[parent] + 1;
    }
    return lengths;
}

uint32_t depth_limit_longest(const struct cprof_profile *p)
{
    uint32_t *lengths = path_lengths(p), deepest = 0;

    for (uint32_t i = 0; i < p->n_contexts; i++)
        if (lengths[i] > deepest)
            deepest = lengths[i];
    free(lengths);
    return deepest;
}

struct limiter {
    const struct cprof_profile *from;
    struct builder *builder;
    uint32_t deeper;    /* the function DEPTH_LIMIT_NAME */
    uint32_t *contexts; /* the builder's context that takes the costs of each context */
};

static void add_costs(const struct limiter *s, uint32_t i, bool is_deeper)
{
    const struct cprof_profile *p = s->from;
    const struct cprof_context *c = &p->contexts[i];

    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        struct cprof_cost cost = p->context_costs[k];

        if (is_deeper)
            cost = (struct cprof_cost){.function = s->deeper, .file = CPROF_NONE};
        if (builder_context_cost(s->builder, s->contexts[i], &cost, cprof_context_values(p, k)))
            return;
    }
}

/* Adds context `i`, whose path has `length` functions. The first context beyond the limit makes one
 * context for all that is deeper, which its siblings share. */
static void depth_add_context(const struct limiter *s, uint32_t i, uint32_t length, uint32_t depth)
{
    struct cprof_context context = s->from->contexts[i];
    uint32_t above = context.parent == CPROF_NONE ? CPROF_NONE : s->contexts[context.parent];

    if (length > depth + 1) {
        s->contexts[i] = above;
    } else {
        if (length > depth)
            context = (struct cprof_context){
                .function = s->deeper, .site_file = CPROF_NONE, .calls = context.calls};
        context.parent = above;
        s->contexts[i] = length > depth ? builder_same_context(s->builder, &context)
                                        : builder_context(s->builder, &context);
    }
    if (s->contexts[i] != CPROF_NONE)
        add_costs(s, i, length > depth);
}

struct cprof_profile *depth_limit_profile(const struct cprof_profile *p, uint32_t depth,
                                          struct cprof_error *error)
{
    struct limiter s = {.from = p};
    uint32_t *lengths = path_lengths(p);

    *error = (struct cprof_error){.code = CPROF_OK};
    s.builder = builder_new(error);
    if (!s.builder) {
        free(lengths);
        return NULL;
    }
    s.contexts = xreallocarray(NULL, p->n_contexts, sizeof *s.contexts);
    copy_header(s.builder, p);
    copy_names(s.builder, p);
    s.deeper = builder_function(s.builder, DEPTH_LIMIT_NAME, NULL, CPROF_NONE, CPROF_NONE, 0);
    for (uint32_t i = 0; i < p->n_contexts && s.deeper != CPROF_NONE; i++)
        depth_add_context(&s, i, lengths[i], depth);
    free(lengths);
    free(s.contexts);
    return builder_finish(s.builder);
}
