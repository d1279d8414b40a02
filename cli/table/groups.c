#include <config.h>

#include "table/groups.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "calls/recursion.h"
#include "cprof_internal.h"
#include "names/location.h"
#include "names/object_name.h"

#include <stdlib.h>
#include <string.h>

/*--- Keys: the groups that costs and contexts belong to ---*/

/* A group. A member that is no part of its key is CPROF_NONE, or 0. */
struct group {
    uint32_t file, line, crate, object;
};

struct group_keys {
    const struct cprof_profile *profile;
    const struct crates *crates;
    enum group_by by;
    uint32_t n, room;
    struct group *items;
    uint32_t *files; /* of each file, the first file that is shown alike */
    struct map map;  /* groups by their key */
};

/* The owner of a map of shown paths: see find_files(). */
struct shown {
    char **paths;
};

static int equal_path(const void *owner, uint32_t index, const void *key)
{
    const struct shown *s = owner;

    return !strcmp(s->paths[index], key);
}

/* Finds, for each file, the first file that is shown alike: "/a/../b.rs" is "/b.rs". */
static uint32_t *find_files(const struct cprof_profile *p)
{
    uint32_t *files = xreallocarray(NULL, p->n_files, sizeof *files);
    struct shown shown = {xcalloc(p->n_files, sizeof *shown.paths)};
    struct map map = {.n_slots = 0};

    for (uint32_t i = 0; i < p->n_files; i++) {
        uint32_t hash;

        shown.paths[i] = location_path(p->files[i], NULL);
        hash = map_hash_bytes(shown.paths[i], strlen(shown.paths[i]), 0);
        files[i] = map_find(&map, hash, equal_path, &shown, shown.paths[i]);
        if (files[i] == MAP_NONE) {
            files[i] = i;
            memory_check(map_add(&map, hash, i));
        }
    }
    for (uint32_t i = 0; i < p->n_files; i++)
        free(shown.paths[i]);
    free(shown.paths);
    map_release(&map);
    return files;
}

static void group_keys_load(struct group_keys *k, const struct cprof_profile *profile,
                            const struct crates *crates, enum group_by by)
{
    *k = (struct group_keys){.profile = profile, .crates = crates, .by = by};
    k->files = find_files(profile);
}

static void group_keys_free(struct group_keys *k)
{
    free(k->items);
    free(k->files);
    map_release(&k->map);
    *k = (struct group_keys){.n = 0};
}

static int equal_group(const void *owner, uint32_t index, const void *key)
{
    const struct group_keys *k = owner;

    return !memcmp(&k->items[index], key, sizeof *k->items);
}

static uint32_t intern(struct group_keys *k, struct group g)
{
    uint64_t key = map_mix(map_mix((uint64_t)g.file << 32 | g.line, g.crate), g.object);
    uint32_t hash = map_hash(key), index = map_find(&k->map, hash, equal_group, k, &g);

    if (index != MAP_NONE)
        return index;
    GROW(k->items, k->n, k->room);
    k->items[k->n] = g;
    memory_check(map_add(&k->map, hash, k->n));
    return k->n++;
}

static uint32_t by_object(struct group_keys *k, uint32_t object)
{
    return intern(k, (struct group){CPROF_NONE, 0, CPROF_NONE, object});
}

/* The group of a file or line; code without a file belongs to its object. */
static uint32_t by_place(struct group_keys *k, uint32_t file, uint32_t line, uint32_t object)
{
    if (file == CPROF_NONE || !strcmp(k->profile->files[file], UNNAMED))
        return by_object(k, object);
    return intern(
        k, (struct group){k->files[file], k->by == GROUP_LINE ? line : 0, CPROF_NONE, CPROF_NONE});
}

static uint32_t by_function(struct group_keys *k, uint32_t function)
{
    if (k->by == GROUP_CRATE)
        return intern(k,
                      (struct group){CPROF_NONE, 0, k->crates->of_function[function], CPROF_NONE});
    return by_object(k, k->profile->functions[function].object);
}

static bool is_by_place(const struct group_keys *k)
{
    return k->by == GROUP_LINE || k->by == GROUP_FILE;
}

/* The group of a cost. This function and those below make a group that does not exist yet. */
static uint32_t group_of_cost(struct group_keys *k, const struct cprof_cost *cost)
{
    if (!is_by_place(k))
        return by_function(k, cost->function);
    return by_place(k, cost->file, cost->line, k->profile->functions[cost->function].object);
}

/*
 * The group that is on the stack while context `c` runs, apart from its parent's groups: that of
 * its function, or of the call's place. CPROF_NONE: none, such as for "[thread 1]".
 */
static uint32_t group_of_context(struct group_keys *k, const struct cprof_context *c)
{
    const struct cprof_profile *p = k->profile;
    const struct cprof_function *parent;

    if (!is_by_place(k))
        return p->functions[c->function].object == CPROF_NONE ? CPROF_NONE
                                                              : by_function(k, c->function);
    if (c->parent == CPROF_NONE)
        return CPROF_NONE;
    parent = &p->functions[p->contexts[c->parent].function];
    if (parent->object == CPROF_NONE)
        return CPROF_NONE;
    if (c->site_file == CPROF_NONE && !c->site && !c->inlined)
        return CPROF_NONE;          /* a jump has left its place */
    if (c->site_file == CPROF_NONE) /* a call without a known line */
        return by_place(k, k->by == GROUP_FILE ? parent->file : CPROF_NONE, 0, parent->object);
    return by_place(k, c->site_file, c->site_line, parent->object);
}

/* The group of a call's place; CPROF_NONE where groups depend on the function alone. */
static uint32_t group_of_site(struct group_keys *k, const struct cprof_call *call)
{
    const struct cprof_function *caller = &k->profile->functions[call->caller];

    if (!is_by_place(k) || call->file == CPROF_NONE)
        return CPROF_NONE;
    return by_place(k, call->file, call->line, caller->object);
}

/*--- Costs ---*/

struct group_costs {
    size_t width;          /* counts of a group: rows_width() */
    uint32_t room;         /* groups that the arrays have room for */
    int64_t *counts;       /* rows of `width`: own costs, inclusive ones, calls */
    unsigned char *bounds; /* the bounds of inclusive costs: enum bound, graph.h */
    uint32_t *functions;   /* one function of each group */
};

/*
 * Primary data structure: `active`, for each group the number of its contexts on the current path.
 *
 * The tree of contexts is walked depth first. A context that brings its group onto the path adds
 * the cost of its whole subtree to the group. A cost whose own group is not on the path adds
 * itself.
 */

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

/* Adds `n` counts to a group's, from index `slot` on. */
static void group_costs_add(struct group_costs *c, uint32_t group, uint32_t slot,
                            const int64_t *counts, uint32_t n)
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
    uint32_t *groups;  /* of each context: group_of_context() */
    int64_t *subtrees; /* the inclusive costs of each context, rows of n_events */
    uint32_t *active;  /* of each group: the number of its contexts on the path */
    uint32_t n_active; /* the number of groups */
};

/* Makes all groups, so that their number is known. */
static void prepare(struct walk *w, const struct paths *paths)
{
    const struct cprof_profile *p = w->profile;

    w->groups = xreallocarray(NULL, p->n_contexts, sizeof *w->groups);
    w->subtrees = path_sums(paths);
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
    w->n_active = w->keys->n;
    w->active = xcalloc(w->n_active, sizeof *w->active);
}

/* Enters a context, which brings its group onto the path. */
static bool enter(void *data, uint32_t context)
{
    struct walk *w = data;
    const struct cprof_profile *p = w->profile;
    const struct cprof_context *c = &p->contexts[context];
    uint32_t group = w->groups[context];

    if (group != CPROF_NONE && w->active[group]++ == 0)
        group_costs_add(w->costs, group, p->n_events, w->subtrees + (size_t)context * p->n_events,
                        p->n_events);
    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        group = group_of_cost(w->keys, &p->context_costs[k]);
        if (!w->active[group])
            group_costs_add(w->costs, group, p->n_events, cprof_context_values(p, k), p->n_events);
    }
    return true;
}

static void leave(void *data, uint32_t context)
{
    struct walk *w = data;

    if (w->groups[context] != CPROF_NONE)
        w->active[w->groups[context]]--;
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

/* Finds own and inclusive costs; calls stay 0. The caller frees the arrays. */
static void group_costs_load(struct group_costs *costs, struct group_keys *keys)
{
    const struct cprof_profile *p = keys->profile;
    const struct paths paths = profile_paths(p);
    struct walk w = {.costs = costs, .keys = keys, .profile = p};

    *costs = (struct group_costs){.width = rows_width(p)};
    make_room(costs, 0);
    add_own(costs, keys);
    if (!p->n_contexts || !graph_is_known(p))
        return;
    prepare(&w, &paths);
    paths_walk(&paths, enter, leave, &w);
    find_bounds(&w);
    free(w.groups);
    free(w.subtrees);
    free(w.active);
}

/*--- Rows ---*/

struct events groups_events(struct events events, enum group_by by)
{
    events.inclusive &= by == GROUP_FUNCTION || events.paths;
    return events;
}

static char *own(struct rows *rows, char *text)
{
    return APPEND(rows->owned, rows->n_owned, rows->owned_room) = text;
}

static void describe_place(struct rows *rows, struct row *row, const struct group *g)
{
    const char *path = rows->profile->files[g->file];

    row->is_place = true;
    row->file = path;
    row->line = g->line;
    row->name = g->line ? own(rows, xasprintf("%s:%u", path, (unsigned)g->line)) : path;
}

static void describe(struct rows *rows, struct row *row, const struct group_keys *k, uint32_t group)
{
    const struct cprof_profile *p = rows->profile;
    const struct group *g = &k->items[group];

    if (g->crate != CPROF_NONE) {
        row->crate = &k->crates->items[g->crate];
        row->name = own(rows, crate_label(row->crate));
    } else if (g->file != CPROF_NONE) {
        uint32_t crate = k->crates->of_file[g->file];

        describe_place(rows, row, g);
        if (crate != CPROF_NONE)
            row->crate = &k->crates->items[crate];
    } else {
        row->object = g->object == CPROF_NONE ? NULL : p->objects[g->object].path;
        row->name = row->object ? row->object : UNNAMED;
        if (k->by != GROUP_OBJECT)
            row->crate =
                &k->crates->items[k->crates->of_object[g->object == CPROF_NONE ? p->n_objects
                                                                               : g->object]];
    }
    if (row->crate)
        row->owner = (unsigned char)row->crate->owner;
}

/* Makes rows of all groups that have a cost. */
static void make_rows(struct rows *rows, const struct group_keys *keys,
                      const struct group_costs *costs)
{
    uint32_t n_events = rows->profile->n_events;
    size_t width = costs->width, n_costs = width > n_events ? 2 * (size_t)n_events : n_events;

    rows->items = xcalloc(keys->n, sizeof *rows->items);
    for (uint32_t i = 0; i < keys->n; i++) {
        const int64_t *counts = costs->counts + i * width;
        struct row *row = &rows->items[rows->n];
        bool any = false;

        for (size_t e = 0; e < n_costs; e++)
            any |= counts[e] != 0;
        if (!any)
            continue;
        describe(rows, row, keys, i);
        row->function = costs->functions[i];
        row->bound = costs->bounds[i];
        row->counts = counts;
        rows->n++;
    }
    rows->n_all = rows->n;
}

/* Adds up the calls of each group's functions. */
static void add_calls(struct group_costs *costs, struct group_keys *keys, struct rows *rows)
{
    const struct cprof_profile *p = rows->profile;
    uint32_t slot = 2 * p->n_events;
    struct graph graph;

    graph_load(&graph, p);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        struct cprof_cost cost = {.function = i, .file = CPROF_NONE};

        counts_add(rows->totals + slot, &graph.calls[i], 1);
        if (p->functions[i].object != CPROF_NONE &&
            (keys->by == GROUP_CRATE || keys->by == GROUP_OBJECT))
            group_costs_add(costs, group_of_cost(keys, &cost), slot, &graph.calls[i], 1);
    }
    graph_free(&graph);
}

void groups_load(struct rows *rows, const struct cprof_profile *p, const struct crates *crates,
                 enum group_by by)
{
    struct group_costs costs;
    struct group_keys keys;

    if (by == GROUP_FUNCTION) {
        rows_load(rows, p);
        rows_set_crates(rows, crates);
        return;
    }
    *rows = (struct rows){.profile = p};
    rows->totals = xcalloc(rows_width(p), sizeof *rows->totals);
    memcpy(rows->totals, p->totals, p->n_events * sizeof *p->totals);
    group_keys_load(&keys, p, crates, by);
    group_costs_load(&costs, &keys);
    if (groups_events(events_of(p), by).inclusive) {
        memcpy(rows->totals + p->n_events, p->totals, p->n_events * sizeof *p->totals);
        add_calls(&costs, &keys, rows);
    }
    make_rows(rows, &keys, &costs);
    rows->counts = costs.counts;
    free(costs.bounds);
    free(costs.functions);
    group_keys_free(&keys);
}

const char *group_word(enum group_by by, bool plural)
{
    static const char *const words[][2] = {{"function", "functions"},
                                           {"line", "lines"},
                                           {"file", "files"},
                                           {"crate", "crates"},
                                           {"object", "objects"}};

    return words[by][plural];
}
