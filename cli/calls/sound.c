#include <config.h>

#include "calls/sound.h"

#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A walk over the tree of contexts, by the profile's first event. */
struct walk {
    struct paths paths;
    uint32_t *cycle;    /* of each function; cycles_find_linked() */
    int64_t *sums;      /* path_sums() */
    int64_t *outermost; /* of each circle: what its outermost contexts cost */
    uint32_t *active;   /* of each circle: its contexts on the path at hand */
};

static bool is_root(const struct cprof_profile *p, uint32_t function)
{
    return p->functions[function].object == CPROF_NONE;
}

/* Tells whether the tree has all that was on a stack. */
static bool has_whole_paths(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_function *f = &p->functions[p->contexts[i].function];

        if (f->object == CPROF_NONE && (!strcmp(f->name, "[more]") || !strcmp(f->name, "[fibre]")))
            return false;
    }
    return p->n_contexts > 0 && p->n_sections == 0;
}

/* Inlined code, and handlers below what they interrupted, lead on without a call. */
static bool leads_on(const struct cprof_profile *p, const struct cprof_context *c)
{
    return c->inlined || is_root(p, p->contexts[c->parent].function) || is_root(p, c->function);
}

static bool enter(void *data, uint32_t i)
{
    struct walk *w = data;
    uint32_t cycle = w->cycle[w->paths.contexts[i].function];

    if (w->active[cycle]++ == 0)
        counts_add(&w->outermost[cycle], &w->sums[(size_t)i * w->paths.profile->n_events], 1);
    return true;
}

static void leave(void *data, uint32_t i)
{
    struct walk *w = data;

    w->active[w->cycle[w->paths.contexts[i].function]]--;
}

/* Tells of each function whether it has contexts: stubs have none, calls pass through them. */
static bool *find_entered(const struct cprof_profile *p)
{
    bool *entered = xcalloc(p->n_functions, sizeof *entered);

    for (uint32_t i = 0; i < p->n_contexts; i++)
        entered[p->contexts[i].function] = true;
    return entered;
}

/* The first function that costs more than its outermost contexts, and than its own code, which may
 * be run into from the function before it; or CPROF_NONE. */
static uint32_t find_over_paths(const struct cprof_profile *p)
{
    struct walk w = {.paths = profile_paths(p), .cycle = cycles_find_linked(p, leads_on)};
    int64_t *self = xcalloc(p->n_functions, sizeof *self);
    bool *entered = find_entered(p);
    uint32_t found = CPROF_NONE;

    w.sums = path_sums(&w.paths);
    w.outermost = xcalloc(p->n_functions, sizeof *w.outermost);
    w.active = xcalloc(p->n_functions, sizeof *w.active);
    paths_walk(&w.paths, enter, leave, &w);
    for (uint32_t i = 0; i < p->n_costs; i++)
        counts_add(&self[p->costs[i].function], cprof_cost_values(p, i), 1);
    for (uint32_t i = 0; i < p->n_functions && found == CPROF_NONE; i++)
        if (entered[i] && cprof_inclusive_values(p, i)[0] > w.outermost[w.cycle[i]] &&
            cprof_inclusive_values(p, i)[0] > self[i])
            found = i;
    free(self);
    free(entered);
    free(w.cycle);
    free(w.sums);
    free(w.outermost);
    free(w.active);
    return found;
}

static uint32_t find_over_total(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_functions; i++)
        for (uint32_t e = 0; e < p->n_events; e++)
            if (cprof_inclusive_values(p, i)[e] > p->totals[e])
                return i;
    return CPROF_NONE;
}

/* The first function whose contexts were entered less often than edges lead to it, or more often
 * without an entry from a root; or CPROF_NONE. */
static uint32_t find_calls(const struct cprof_profile *p)
{
    int64_t *left = xcalloc(p->n_functions, sizeof *left);
    bool *is_open = xcalloc(p->n_functions, sizeof *is_open);
    uint32_t found = CPROF_NONE;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        left[c->function] += (int64_t)c->calls;
        is_open[c->function] |=
            c->parent == CPROF_NONE || is_root(p, p->contexts[c->parent].function);
    }
    for (uint32_t i = 0; i < p->n_calls; i++)
        left[p->calls[i].callee] -= (int64_t)p->calls[i].count;
    for (uint32_t i = 0; i < p->n_functions && found == CPROF_NONE; i++)
        if (left[i] < 0 || (left[i] > 0 && !is_open[i]))
            found = i;
    free(left);
    free(is_open);
    return found;
}

enum sound_fault sound_check(const struct cprof_profile *p, uint32_t *function)
{
    bool has_paths = has_whole_paths(p);

    *function = CPROF_NONE;
    if (p->inclusive && (*function = find_over_total(p)) != CPROF_NONE)
        return SOUND_COSTS_TOTAL;
    if (p->inclusive && has_paths && (*function = find_over_paths(p)) != CPROF_NONE)
        return SOUND_COSTS_PATHS;
    if (p->n_calls && has_paths && !p->sampled && (*function = find_calls(p)) != CPROF_NONE)
        return SOUND_CALLS;
    return SOUND;
}
