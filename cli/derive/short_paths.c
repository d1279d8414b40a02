#include <config.h>

#include "derive/short_paths.h"

#include "base/array.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "derive/copy.h"
#include "names/crates.h"
#include "names/object_name.h"

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
    return !f->builder || copy_context_costs(f->builder, f->contexts[i], f->from, i, CPROF_NONE);
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

/*--- One function for many ---*/

/* A profile whose paths are made shorter: one more function has the costs of what is left out. */
struct shortening {
    const struct cprof_profile *from;
    struct builder *builder;
    uint32_t function;  /* the one more */
    uint32_t *contexts; /* the builder's context that takes the costs of each context */
    const bool *own;
    bool *above;       /* contexts of a thread with own code that have none above them */
    uint32_t *lengths; /* of each context's path */
    uint32_t depth;    /* the most of these */
};

/* Makes the profile: `add` gives context `i` its context, and false where the builder has failed.
 */
static struct cprof_profile *shorten(struct shortening *s, const char *name,
                                     bool (*add)(const struct shortening *s, uint32_t i),
                                     struct cprof_error *error)
{
    const struct cprof_profile *p = s->from;
    bool more;

    *error = (struct cprof_error){.code = CPROF_OK};
    s->builder = builder_new(error);
    if (!s->builder)
        return NULL;
    s->contexts = xcalloc(p->n_contexts, sizeof *s->contexts);
    copy_header(s->builder, p);
    copy_names(s->builder, p);
    s->function = builder_function(s->builder, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    more = s->function != CPROF_NONE;
    for (uint32_t i = 0; i < p->n_contexts && more; i++)
        more = add(s, i);
    free(s->contexts);
    return builder_finish(s->builder);
}

/*--- Start-up ---*/

static bool is_thread(const struct cprof_profile *p, const struct cprof_context *c)
{
    return c->parent == CPROF_NONE && root_is_thread(&p->functions[c->function]);
}

/* Finds the contexts above own code. Parents stand before their children. */
static void find_above(struct shortening *s)
{
    const struct cprof_profile *p = s->from;
    bool *has = xcalloc(p->n_contexts, sizeof *has);

    s->above = xcalloc(p->n_contexts, sizeof *s->above);
    for (uint32_t i = p->n_contexts; i-- > 0;) {
        has[i] |= root_may_be(p, s->own, p->contexts[i].function);
        if (p->contexts[i].parent != CPROF_NONE)
            has[p->contexts[i].parent] |= has[i];
    }
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        s->above[i] = c->parent == CPROF_NONE
                          ? is_thread(p, c) && has[i]
                          : s->above[c->parent] && !root_may_be(p, s->own, c->function);
    }
    free(has);
}

/* The builder's context for context `i`. Paths of several threads become one. */
static uint32_t context_of(const struct shortening *s, uint32_t i)
{
    struct cprof_context context = s->from->contexts[i];

    if (s->above[i])
        context = (struct cprof_context){
            .parent = CPROF_NONE, .function = s->function, .site_file = CPROF_NONE};
    else if (context.parent != CPROF_NONE && s->above[context.parent])
        context = (struct cprof_context){.parent = CPROF_NONE,
                                         .function = context.function,
                                         .site_file = CPROF_NONE,
                                         .calls = context.calls};
    else if (context.parent != CPROF_NONE)
        context.parent = s->contexts[context.parent];
    return builder_same_context(s->builder, &context);
}

/* Start-up without costs of its own gets no context. */
static bool add_below_startup(const struct shortening *s, uint32_t i)
{
    if (s->above[i] && !s->from->contexts[i].n_costs)
        return true;
    s->contexts[i] = context_of(s, i);
    return s->contexts[i] != CPROF_NONE &&
           copy_context_costs(s->builder, s->contexts[i], s->from, i,
                              s->above[i] ? s->function : CPROF_NONE);
}

struct cprof_profile *startup_profile(const struct cprof_profile *p, const bool *own,
                                      struct cprof_error *error)
{
    struct shortening s = {.from = p, .own = own};
    struct cprof_profile *result;

    find_above(&s);
    result = shorten(&s, STARTUP_NAME, add_below_startup, error);
    free(s.above);
    return result;
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

/* The first context beyond the limit makes one context for all that is deeper, which its siblings
 * share. */
static bool add_to_depth(const struct shortening *s, uint32_t i)
{
    struct cprof_context context = s->from->contexts[i];
    uint32_t above = context.parent == CPROF_NONE ? CPROF_NONE : s->contexts[context.parent];
    bool is_deeper = s->lengths[i] > s->depth;

    if (is_deeper)
        context = (struct cprof_context){
            .function = s->function, .site_file = CPROF_NONE, .calls = context.calls};
    context.parent = above;
    s->contexts[i] = s->lengths[i] > s->depth + 1 ? above
                     : is_deeper                  ? builder_same_context(s->builder, &context)
                                                  : builder_context(s->builder, &context);
    return s->contexts[i] != CPROF_NONE &&
           copy_context_costs(s->builder, s->contexts[i], s->from, i,
                              is_deeper ? s->function : CPROF_NONE);
}

struct cprof_profile *depth_limit_profile(const struct cprof_profile *p, uint32_t depth,
                                          struct cprof_error *error)
{
    struct shortening s = {.from = p, .depth = depth, .lengths = path_lengths(p)};
    struct cprof_profile *result = shorten(&s, DEPTH_LIMIT_NAME, add_to_depth, error);

    free(s.lengths);
    return result;
}
