#include <config.h>

#include "derive/threads.h"

#include "base/memory.h"
#include "calls/cycles.h"
#include "derive/copy.h"
#include "derive/path_sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct thread {
    const struct cprof_profile *from;
    struct builder *builder;
    uint32_t *owners;   /* the root of each function's contexts: find_owners() */
    uint32_t *contexts; /* the new index of each context; CPROF_NONE: it is of another thread */
};

static void find_contexts(struct thread *t, uint32_t root)
{
    const struct cprof_profile *p = t->from;
    uint32_t n = 0;

    t->contexts = xreallocarray(NULL, p->n_contexts, sizeof *t->contexts);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t parent = p->contexts[i].parent;
        bool its = i == root || (parent != CPROF_NONE && t->contexts[parent] != CPROF_NONE);

        t->contexts[i] = its ? n++ : CPROF_NONE;
    }
}

static void put_contexts(struct thread *t)
{
    const struct cprof_profile *p = t->from;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        struct cprof_context context = p->contexts[i];
        uint32_t end = context.first_cost + context.n_costs;

        if (t->contexts[i] == CPROF_NONE)
            continue;
        if (context.parent != CPROF_NONE)
            context.parent = t->contexts[context.parent];
        if (builder_context(t->builder, &context) != t->contexts[i])
            return;
        for (uint32_t k = p->contexts[i].first_cost; k < end; k++)
            if (builder_context_cost(t->builder, t->contexts[i], &p->context_costs[k],
                                     cprof_context_values(p, k)) != 0)
                return;
    }
}

/* The owner of a function is the root of all its contexts; CPROF_NONE: it has none; MANY: they have
 * several. */
enum { MANY = CPROF_NONE - 1 };

static uint32_t *find_owners(const struct cprof_profile *p)
{
    uint32_t *owners = xreallocarray(NULL, p->n_functions, sizeof *owners);
    uint32_t *roots = xreallocarray(NULL, p->n_contexts, sizeof *roots);

    for (uint32_t i = 0; i < p->n_functions; i++)
        owners[i] = CPROF_NONE;
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        uint32_t *owner = &owners[c->function];

        roots[i] = c->parent == CPROF_NONE ? i : roots[c->parent];
        *owner = *owner == CPROF_NONE || *owner == roots[i] ? roots[i] : MANY;
    }
    free(roots);
    return owners;
}

/* Returns true where a function that other threads run too calls itself, directly or through
 * others: its paths leave recursion out, and hide this thread's share. */
static bool is_hidden(const struct thread *t)
{
    const struct cprof_profile *p = t->from;
    uint32_t *cycle = cycles_find(p), *members = xcalloc(p->n_functions, sizeof *members);
    bool *shared = xcalloc(p->n_functions, sizeof *shared);
    bool hidden = false;

    for (uint32_t i = 0; i < p->n_functions; i++)
        members[cycle[i]]++;
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t function = p->contexts[i].function;

        if (t->contexts[i] != CPROF_NONE && t->owners[function] == MANY) {
            shared[function] = true;
            hidden |= members[cycle[function]] > 1;
        }
    }
    for (uint32_t i = 0; i < p->n_calls; i++)
        hidden |= p->calls[i].caller == p->calls[i].callee && shared[p->calls[i].caller];
    free(cycle);
    free(members);
    free(shared);
    return hidden;
}

/* Copies calls and inclusive costs of functions that only this thread ran. */
static void put_own(struct thread *t, uint32_t root)
{
    const struct cprof_profile *p = t->from;

    for (uint32_t i = 0; i < p->n_functions; i++)
        if (t->owners[i] == root && p->functions[i].object != CPROF_NONE &&
            builder_inclusive(t->builder, i, cprof_inclusive_values(p, i)) != 0)
            return;
    for (uint32_t i = 0; i < p->n_calls; i++)
        if ((t->owners[p->calls[i].caller] == root || t->owners[p->calls[i].callee] == root) &&
            builder_call(t->builder, &p->calls[i], cprof_call_values(p, i)) != 0)
            return;
}

/* Returns true where context `i` is the outermost one of its function in its path. */
static bool is_outermost(const struct cprof_profile *p, uint32_t i)
{
    for (uint32_t k = p->contexts[i].parent; k != CPROF_NONE; k = p->contexts[k].parent)
        if (p->contexts[k].function == p->contexts[i].function)
            return false;
    return true;
}

/* Finds calls and inclusive costs of functions that other threads ran too, from the paths. A
 * function that was inlined into one of its own callees may be in a path more than once. */
static void put_shared(struct thread *t, uint32_t root)
{
    const struct cprof_profile *p = t->from;
    int64_t *sums = path_sums(p);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        const int64_t *sum = sums + (size_t)i * p->n_events;
        struct cprof_call call = {.callee = c->function,
                                  .file = c->site_file,
                                  .line = c->site_line,
                                  .address = c->site,
                                  .count = c->calls,
                                  .inlined = c->inlined};

        if (t->contexts[i] == CPROF_NONE || p->functions[c->function].object == CPROF_NONE ||
            t->owners[c->function] == root || !is_outermost(p, i))
            continue;
        if (builder_inclusive(t->builder, c->function, sum) != 0)
            break;
        if (c->parent == CPROF_NONE)
            continue;
        call.caller = p->contexts[c->parent].function;
        if (p->functions[call.caller].object != CPROF_NONE && t->owners[call.caller] != root &&
            builder_call(t->builder, &call, sum) != 0)
            break;
    }
    free(sums);
}

struct cprof_profile *thread_profile(const struct cprof_profile *p, uint32_t root,
                                     struct cprof_error *error)
{
    struct thread t = {.from = p};

    *error = (struct cprof_error){.code = CPROF_OK};
    t.builder = builder_new(error);
    if (!t.builder)
        return NULL;
    copy_header(t.builder, p);
    copy_names(t.builder, p);
    find_contexts(&t, root);
    put_contexts(&t);
    t.owners = find_owners(p);
    if (p->inclusive && !is_hidden(&t)) {
        put_own(&t, root);
        put_shared(&t, root);
    }
    free(t.owners);
    free(t.contexts);
    return builder_finish(t.builder);
}
