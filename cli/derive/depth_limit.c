#include <config.h>

#include "derive/depth_limit.h"

#include "base/memory.h"
#include "cprof_internal.h"
#include "derive/copy.h"

#include <stdlib.h>

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
static void add_context(const struct limiter *s, uint32_t i, uint32_t length, uint32_t depth)
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
        add_context(&s, i, lengths[i], depth);
    free(lengths);
    free(s.contexts);
    return builder_finish(s.builder);
}
