#include <config.h>

#include "calls/recursion.h"

#include "base/memory.h"
#include "base/sort.h"
#include "calls/call_list.h"
#include "calls/cycles.h"
#include "calls/graph.h"

#include <stdlib.h>
#include <string.h>

/* Contexts that are visited before the search gives up: about a second. */
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

/* The nearest context of `function` from `context` upwards that was called, or CPROF_NONE. Adds the
 * number of contexts visited to *steps. */
static uint32_t find_above(const struct cprof_profile *p, uint32_t context, uint32_t function,
                           size_t *steps)
{
    for (; context != CPROF_NONE; context = p->contexts[context].parent) {
        ++*steps;
        if (p->contexts[context].function == function && !p->contexts[context].inlined)
            return context;
    }
    return CPROF_NONE;
}

static int compare_callers(const void *a, const void *b)
{
    const struct cprof_call *x = a, *y = b;

    return (x->caller > y->caller) - (x->caller < y->caller);
}

/* The cycles of functions (cycles.h). Inlined code counts as called by the function that holds
 * it. */
static uint32_t *find_cycles(const struct cprof_profile *p)
{
    struct cprof_profile all = *p;
    struct cprof_call *calls;
    uint32_t *cycle;

    calls = xreallocarray(NULL, (size_t)p->n_calls + p->n_contexts, sizeof *calls);
    if (p->n_calls)
        memcpy(calls, p->calls, p->n_calls * sizeof *calls);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        if (c->inlined && c->parent != CPROF_NONE)
            calls[all.n_calls++] = (struct cprof_call){.caller = p->contexts[c->parent].function,
                                                       .callee = c->function};
    }
    if (all.n_calls > p->n_calls)
        sort_items(calls, all.n_calls, sizeof *calls, compare_callers);
    all.calls = calls;
    cycle = cycles_find(&all);
    free(calls);
    return cycle;
}

bool recursion_each(const struct cprof_profile *p, recursion_use *use, void *context)
{
    uint32_t *cycle = find_cycles(p);
    uint32_t *first = xreallocarray(NULL, (size_t)p->n_functions + 1, sizeof *first);
    size_t steps = 0;

    for (uint32_t i = 0; i <= p->n_functions; i++)
        first[i] = i < p->n_functions ? call_list_first(p, i) : p->n_calls;
    for (uint32_t i = 0; i < p->n_contexts && steps < STEPS_MAX; i++) {
        uint32_t caller = p->contexts[i].function;

        for (uint32_t k = first[caller]; k < first[caller + 1] && steps < STEPS_MAX; k++) {
            struct recursive_call call = {.from = i, .call = k};

            if (!p->calls[k].count || cycle[caller] != cycle[p->calls[k].callee])
                continue; /* inlined, or no call leads back */
            call.to = find_above(p, i, p->calls[k].callee, &steps);
            if (call.to != CPROF_NONE)
                steps += use(&call, context);
        }
    }
    free(cycle);
    free(first);
    return steps < STEPS_MAX;
}

void recursion_inlined(const struct cprof_profile *p, uint32_t **first, uint32_t **next)
{
    *first = xreallocarray(NULL, p->n_contexts, sizeof **first);
    *next = xreallocarray(NULL, p->n_contexts, sizeof **next);
    for (uint32_t i = 0; i < p->n_contexts; i++)
        (*first)[i] = (*next)[i] = CPROF_NONE;
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
