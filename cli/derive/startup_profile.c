#include <config.h>

#include "derive/startup_profile.h"

#include "base/memory.h"
#include "cprof_internal.h"
#include "derive/copy.h"
#include "names/crates.h"

#include <stdlib.h>
#include <string.h>

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
