#include <config.h>

#include "table/groups.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "names/location.h"
#include "names/object_name.h"
#include "table/group_costs.h"
#include "table/group_keys.h"

#include <stdlib.h>
#include <string.h>

struct events groups_events(struct events events, enum group_by by)
{
    events.inclusive &= by == GROUP_FUNCTION || events.paths;
    return events;
}

static char *own(struct rows *rows, char *text)
{
    GROW(rows->owned, rows->n_owned, rows->owned_room);
    return rows->owned[rows->n_owned++] = text;
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

    row->object_index = g->object;
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
