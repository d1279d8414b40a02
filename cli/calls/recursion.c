#include <config.h>

#include "calls/recursion.h"

#include "base/memory.h"
#include "calls/graph.h"

#include <stdlib.h>
#include <string.h>

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
    uint32_t *calls;              /* that stay in a cycle of functions */
    uint32_t *first_call;         /* of each function, and the end */
    uint32_t *first_child, *next; /* of each context; CPROF_NONE ends */
    uint32_t *nearest; /* of each function: its last context on the path that was called */
    uint32_t *outer;   /* of each context: the nearest one before it */
    size_t steps;
};

/* Contexts stand behind their parents. */
static uint32_t link_children(struct search *s)
{
    const struct cprof_profile *p = s->profile;
    uint32_t first_root = CPROF_NONE;

    for (uint32_t i = p->n_contexts; i-- > 0;) {
        uint32_t parent = p->contexts[i].parent;
        uint32_t *list = parent == CPROF_NONE ? &first_root : &s->first_child[parent];

        s->next[i] = *list;
        *list = i;
    }
    return first_root;
}

static void enter(struct search *s, uint32_t i, recursion_use *use, void *context)
{
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
            s->steps += use(&call, context);
    }
}

/* Leaves contexts that are done, from `i` upwards. Returns the one that follows, or CPROF_NONE. */
static uint32_t leave(struct search *s, uint32_t i)
{
    const struct cprof_context *contexts = s->profile->contexts;

    for (; i != CPROF_NONE; i = contexts[i].parent) {
        if (!contexts[i].inlined)
            s->nearest[contexts[i].function] = s->outer[i];
        if (s->next[i] != CPROF_NONE)
            return s->next[i];
    }
    return CPROF_NONE;
}

static uint32_t *all_none(size_t n)
{
    uint32_t *all = xreallocarray(NULL, n + 1, sizeof *all);

    memset(all, 0xff, (n + 1) * sizeof *all);
    return all;
}

/* Lists the calls that may lead back. */
static void list_calls(struct search *s)
{
    const struct cprof_profile *p = s->profile;
    uint32_t *cycle = cycles_find_linked(p, is_inlined), n = 0;

    s->calls = all_none(p->n_calls);
    s->first_call = all_none(p->n_functions);
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
    struct search s = {.profile = p};
    bool few;

    list_calls(&s);
    few = are_few(&s);
    if (few) {
        s.first_child = all_none(p->n_contexts);
        s.next = all_none(p->n_contexts);
        s.nearest = all_none(p->n_functions);
        s.outer = all_none(p->n_contexts);
        for (uint32_t i = link_children(&s); i != CPROF_NONE && s.steps < STEPS_MAX;) {
            enter(&s, i, use, context);
            i = s.first_child[i] != CPROF_NONE ? s.first_child[i] : leave(&s, i);
        }
    }
    free(s.calls);
    free(s.first_call);
    free(s.first_child);
    free(s.next);
    free(s.nearest);
    free(s.outer);
    return few && s.steps < STEPS_MAX;
}

void recursion_inlined(const struct cprof_profile *p, uint32_t **first, uint32_t **next)
{
    *first = all_none(p->n_contexts);
    *next = all_none(p->n_contexts);
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
