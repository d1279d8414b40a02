#include <config.h>

/*
 * Primary data structure: `active`, for each group the number of its contexts on the current path.
 *
 * The tree of contexts is walked depth first. A context that brings its group onto the path adds
 * the cost of its whole subtree to the group. A cost whose own group is not on the path adds
 * itself.
 */
#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "calls/recursion.h"
#include "table/group_costs.h"

#include <stdlib.h>
#include <string.h>

static void make_room(struct group_costs *c, uint32_t group)
{
    uint32_t room = c->room ? c->room : 64;

    if (group < c->room)
        return;
    while (room <= group)
        room *= 2;
    c->counts = xreallocarray(c->counts, room * c->width, sizeof *c->counts);
    memset(c->counts + c->room * c->width, 0, (room - c->room) * c->width * sizeof *c->counts);
    c->bounds = xreallocarray(c->bounds, room, 1);
    memset(c->bounds + c->room, BOUND_EXACT, room - c->room);
    c->functions = xreallocarray(c->functions, room, sizeof *c->functions);
    memset(c->functions + c->room, 0xff, (room - c->room) * sizeof *c->functions);
    c->room = room;
}

void group_costs_add(struct group_costs *c, uint32_t group, uint32_t slot, const int64_t *counts,
                     uint32_t n)
{
    make_room(c, group);
    counts_add(c->counts + group * c->width + slot, counts, n);
}

static void add_own(struct group_costs *costs, struct group_keys *keys)
{
    const struct cprof_profile *p = keys->profile;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        uint32_t group = group_of_cost(keys, &p->costs[i]);

        group_costs_add(costs, group, 0, cprof_cost_values(p, i), p->n_events);
        if (costs->functions[group] == CPROF_NONE)
            costs->functions[group] = p->costs[i].function;
    }
}

/*--- Inclusive costs ---*/

/* A walk over the tree of contexts. */
struct walk {
    struct group_costs *costs;
    struct group_keys *keys;
    const struct cprof_profile *profile;
    uint32_t *groups;       /* of each context: group_of_context() */
    uint32_t *child, *next; /* the tree's links; CPROF_NONE: none */
    int64_t *subtrees;      /* the inclusive costs of each context, rows of n_events */
    uint32_t *active;       /* of each group: the number of its contexts on the path */
    uint32_t n_active;      /* the number of groups */
};

static const int64_t *subtree_counts(const struct walk *w, uint32_t context)
{
    return w->subtrees + (size_t)context * w->profile->n_events;
}

/* Makes all groups, so that their number is known. */
static void prepare(struct walk *w)
{
    const struct cprof_profile *p = w->profile;
    const struct paths paths = profile_paths(p);
    size_t n = p->n_contexts;

    w->groups = xreallocarray(NULL, n, sizeof *w->groups);
    w->child = xreallocarray(NULL, n, sizeof *w->child);
    w->next = xreallocarray(NULL, n, sizeof *w->next);
    w->subtrees = path_sums(&paths);
    memset(w->child, 0xff, n * sizeof *w->child);
    memset(w->next, 0xff, n * sizeof *w->next);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        w->groups[i] = group_of_context(w->keys, c);
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            (void)group_of_cost(w->keys, &p->context_costs[k]);
        if (w->groups[i] != CPROF_NONE) {
            make_room(w->costs, w->groups[i]);
            if (w->costs->functions[w->groups[i]] == CPROF_NONE)
                w->costs->functions[w->groups[i]] = c->function;
        }
    }
    for (uint32_t i = p->n_contexts; i-- > 0;) {
        uint32_t parent = p->contexts[i].parent;

        if (parent == CPROF_NONE)
            continue;
        w->next[i] = w->child[parent];
        w->child[parent] = i;
    }
    w->n_active = w->keys->n;
    w->active = xcalloc(w->n_active, sizeof *w->active);
}

/* Enters a context, which brings its group onto the path. */
static void enter(struct walk *w, uint32_t context)
{
    const struct cprof_profile *p = w->profile;
    const struct cprof_context *c = &p->contexts[context];
    uint32_t group = w->groups[context];

    if (group != CPROF_NONE && w->active[group]++ == 0)
        group_costs_add(w->costs, group, p->n_events, subtree_counts(w, context), p->n_events);
    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        group = group_of_cost(w->keys, &p->context_costs[k]);
        if (!w->active[group])
            group_costs_add(w->costs, group, p->n_events, cprof_context_values(p, k), p->n_events);
    }
}

static void leave(struct walk *w, uint32_t context)
{
    if (w->groups[context] != CPROF_NONE)
        w->active[w->groups[context]]--;
}

/* Walks over all contexts of one root. */
static void walk_tree(struct walk *w, uint32_t root)
{
    uint32_t at = root;

    enter(w, at);
    for (;;) {
        uint32_t to = w->child[at];

        while (to == CPROF_NONE) {
            leave(w, at);
            if (at == root)
                return;
            to = w->next[at];
            at = w->profile->contexts[at].parent;
        }
        enter(w, at = to);
    }
}

/*--- Bounds ---*/

/* The search for groups that recursion hides a part of. */
struct bound_finder {
    const struct walk *walk;
    uint32_t *first, *next; /* recursion_inlined() */
};

/* Marks the group, unless it is on the path at `to` or above: then nothing of it is lost. */
static size_t mark_lost(const struct bound_finder *l, uint32_t group, uint32_t to)
{
    const struct walk *w = l->walk;
    size_t steps = 0;

    if (group == CPROF_NONE || w->costs->bounds[group] == BOUND_LEAST)
        return 0;
    for (; to != CPROF_NONE; to = w->profile->contexts[to].parent) {
        steps++;
        if (w->groups[to] == group)
            return steps;
    }
    w->costs->bounds[group] = BOUND_LEAST;
    return steps;
}

static size_t use_call(const struct recursive_call *call, void *context)
{
    const struct bound_finder *l = context;
    const struct walk *w = l->walk;
    const struct cprof_profile *p = w->profile;
    uint32_t site = group_of_site(w->keys, &p->calls[call->call]);
    size_t steps = 0;

    for (uint32_t c = call->from; c != call->to; c = p->contexts[c].parent)
        steps += 1 + mark_lost(l, w->groups[c], call->to);
    for (uint32_t c = l->first[call->from]; c != CPROF_NONE; c = l->next[c])
        steps += 1 + mark_lost(l, w->groups[c], call->to);
    if (site != CPROF_NONE && site < w->n_active)
        steps += mark_lost(l, site, call->to);
    return steps;
}

static void mark_all(struct group_costs *costs, uint32_t n)
{
    memset(costs->bounds, BOUND_LEAST, n < costs->room ? n : costs->room);
}

/* Raises marked groups: a group has at least what each of its functions has. */
static void raise_bounds(const struct walk *w)
{
    const struct cprof_profile *p = w->profile;

    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++) {
        struct cprof_cost cost = {.function = i, .file = CPROF_NONE};
        const int64_t *least = cprof_inclusive_values(p, i);
        uint32_t group;
        int64_t *counts;

        if (w->keys->by == GROUP_LINE || w->keys->by == GROUP_FILE)
            return;
        group = group_of_cost(w->keys, &cost);
        if (group >= w->n_active || w->costs->bounds[group] != BOUND_LEAST)
            continue;
        counts = w->costs->counts + group * w->costs->width + p->n_events;
        for (uint32_t e = 0; e < p->n_events; e++)
            if (counts[e] < least[e])
                counts[e] = least[e];
    }
}

static void find_bounds(struct walk *w)
{
    struct bound_finder l = {.walk = w};

    make_room(w->costs, w->n_active ? w->n_active - 1 : 0);
    if (recursion_is_unknown(w->profile)) {
        mark_all(w->costs, w->n_active);
    } else {
        recursion_inlined(w->profile, &l.first, &l.next);
        if (!recursion_each(w->profile, use_call, &l))
            mark_all(w->costs, w->n_active);
        free(l.first);
        free(l.next);
    }
    raise_bounds(w);
}

void group_costs_load(struct group_costs *costs, struct group_keys *keys)
{
    const struct cprof_profile *p = keys->profile;
    struct walk w = {.costs = costs, .keys = keys, .profile = p};

    *costs = (struct group_costs){.width = rows_width(p)};
    make_room(costs, 0);
    add_own(costs, keys);
    if (!p->n_contexts || !graph_is_known(p))
        return;
    prepare(&w);
    for (uint32_t i = 0; i < p->n_contexts; i++)
        if (p->contexts[i].parent == CPROF_NONE)
            walk_tree(&w, i);
    find_bounds(&w);
    free(w.groups);
    free(w.child);
    free(w.next);
    free(w.subtrees);
    free(w.active);
}
