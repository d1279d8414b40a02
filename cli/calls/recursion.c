#include <config.h>

#include "calls/recursion.h"

#include "base/array.h"
#include "calls/graph.h"

#include <stdlib.h>

/* Calls of contexts, and contexts, that are visited before the search gives up: about a second. */
enum { STEPS_MAX = 200000000 };

bool recursion_is_unknown(const struct cprof_profile *p)
{
    if (!p->n_calls)
        return true;
    for (uint32_t i = 0; i < p->n_contexts; i++)
        if (graph_is_overflow(p, i))
            return true;
    return false;
}

/* Inlined code counts as called by the function that holds it. */
static bool is_inlined(const struct cprof_profile *p, const struct cprof_context *context)
{
    (void)p;
    return context->inlined;
}

/* A walk over the tree of contexts. */
struct search {
    const struct cprof_profile *profile;
    uint32_t *calls;      /* that stay in a cycle of functions */
    uint32_t *first_call; /* of each function, and the end */
    uint32_t *nearest;    /* of each function: its last context on the path that was called */
    uint32_t *outer;      /* of each context: the nearest one before it */
    recursion_use *use;
    void *context; /* of `use` */
    size_t steps;
};

static bool enter(void *data, uint32_t i)
{
    struct search *s = data;
    const struct cprof_profile *p = s->profile;
    uint32_t caller = p->contexts[i].function;

    if (!p->contexts[i].inlined) {
        s->outer[i] = s->nearest[caller];
        s->nearest[caller] = i;
    }
    for (uint32_t k = s->first_call[caller]; k < s->first_call[caller + 1]; k++) {
        struct recursive_call call = {.from = i, .call = s->calls[k]};

        s->steps++;
        call.to = s->nearest[p->calls[call.call].callee];
        if (call.to != CPROF_NONE)
            s->steps += s->use(&call, s->context);
    }
    return s->steps < STEPS_MAX;
}

static void leave(void *data, uint32_t i)
{
    struct search *s = data;
    const struct cprof_context *c = &s->profile->contexts[i];

    if (!c->inlined)
        s->nearest[c->function] = s->outer[i];
}

/* Lists the calls that may lead back. */
static void list_calls(struct search *s)
{
    const struct cprof_profile *p = s->profile;
    uint32_t *cycle = cycles_find_linked(p, is_inlined), n = 0;

    s->calls = new_indices(p->n_calls);
    s->first_call = new_indices(p->n_functions);
    for (uint32_t i = 0, k = 0; i < p->n_functions; i++) {
        s->first_call[i] = n;
        for (; k < p->n_calls && p->calls[k].caller == i; k++)
            if (p->calls[k].count && cycle[i] == cycle[p->calls[k].callee])
                s->calls[n++] = k; /* inlined code has no count */
    }
    s->first_call[p->n_functions] = n;
    free(cycle);
}

/* Tells if these calls of all contexts are few enough to be looked at. */
static bool are_few(const struct search *s)
{
    const struct cprof_profile *p = s->profile;
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t function = p->contexts[i].function;

        n += s->first_call[function + 1] - s->first_call[function];
    }
    return n < STEPS_MAX;
}

bool recursion_each(const struct cprof_profile *p, recursion_use *use, void *context)
{
    const struct paths paths = profile_paths(p);
    struct search s = {.profile = p, .use = use, .context = context};
    bool few;

    list_calls(&s);
    few = are_few(&s);
    if (few) {
        s.nearest = new_indices(p->n_functions);
        s.outer = new_indices(p->n_contexts);
        paths_walk(&paths, enter, leave, &s);
    }
    free(s.calls);
    free(s.first_call);
    free(s.nearest);
    free(s.outer);
    return few && s.steps < STEPS_MAX;
}

void recursion_inlined(const struct cprof_profile *p, uint32_t **first, uint32_t **next)
{
    *first = new_indices(p->n_contexts);
    *next = new_indices(p->n_contexts);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t host = i;

        while (p->contexts[host].inlined && p->contexts[host].parent != CPROF_NONE)
            host = p->contexts[host].parent;
        if (host == i)
            continue;
        (*next)[i] = (*first)[host];
        (*first)[host] = i;
    }
}
