#include <config.h>

/* Costs by crate, file or object. */
#include "base/memory.h"
#include "calls/graph.h"
#include "names/location.h"
#include "names/object_name.h"
#include "render/text/text.h"
#include "table/groups.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_SELF, KEY_INCLUSIVE, KEY_NAME };

/* Items are rows. */
struct group_list {
    struct list list;
    enum group_by by;
    struct columns columns; /* of the profile */
    struct rows rows;
    const struct column *self, *inclusive; /* NULL: not known */
};

/*--- Rows ---*/

static char *group_name(const struct group_list *g, const struct row *row)
{
    return g->by == GROUP_FILE ? data_path(g->list.view.data, row->name) : text_clean(row->name);
}

static const char *name_of(const struct list *l, size_t item)
{
    const struct group_list *g = (const void *)l;

    return g->rows.items[item].name;
}

static long double value_of(const struct list *l, size_t item)
{
    const struct group_list *g = (const void *)l;
    const struct column *column = l->sort == KEY_INCLUSIVE ? g->inclusive : g->self;

    return l->sort == KEY_NAME ? 0 : column_value(column, g->rows.items[item].counts);
}

static void columns(struct list *l)
{
    struct group_list *g = (void *)l;
    const struct column *self = columns_find(&g->columns, data_self(l->view.data)->name);

    g->self = self ? self : g->columns.items;
    g->inclusive = columns_inclusive(&g->columns, g->self);
    if (!g->inclusive && l->sort == KEY_INCLUSIVE)
        l->sort = KEY_SELF;
    list_add_numbers(l, KEY_SELF, g->self->header);
    if (g->inclusive)
        list_add_inclusive(l, KEY_INCLUSIVE, &g->rows);
    list_add(l, KEY_NAME, true,
             &(struct pane_column){.head = g->by == GROUP_CRATE  ? "Crate"
                                           : g->by == GROUP_FILE ? "File"
                                                                 : "Object",
                                   .width = 16,
                                   .share = 1,
                                   .cut = g->by == GROUP_CRATE ? TEXT_CUT_MIDDLE : TEXT_CUT_PLACE});
}

static const struct list_class list_class = {
    .name = name_of, .value = value_of, .text = name_of, .columns = columns};

/* Loads the rows of another kind of group. */
static void load(struct group_list *g, enum group_by by)
{
    const struct cprof_profile *profile = g->list.view.data->profile;

    columns_free(&g->columns);
    rows_free(&g->rows);
    g->by = by;
    columns_load(&g->columns, groups_events(events_of(profile), by));
    groups_load(&g->rows, profile, &g->list.view.data->crates, by);
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct group_list *g = pane->view;
    const struct data *d = g->list.view.data;
    const struct row *row = &g->rows.items[g->list.shown[i]];
    int at = 0;

    data_cells(d, cells, &at, column_value(g->self, row->counts), false);
    if (g->inclusive)
        data_cells(d, cells, &at, column_value(g->inclusive, row->counts),
                   row->bound == BOUND_LEAST);
    cells->text[at] = group_name(g, row);
    if (g->by == GROUP_CRATE)
        cells->look[at] = LOOK_OWN + (enum look)origin_of((enum owner)row->owner);
}

/*--- Which functions a group has ---*/

/* Finds the files of the profile that are shown under the name. */
static bool *files_of(const struct group_list *g, const char *name)
{
    const struct cprof_profile *p = g->list.view.data->profile;
    bool *same = xcalloc((size_t)p->n_files + 1, sizeof *same);
    char *path = location_path(name, NULL);

    for (uint32_t i = 0; i < p->n_files; i++) {
        char *other = location_path(p->files[i], NULL);

        same[i] = strcmp(path, other) == 0;
        free(other);
    }
    free(path);
    return same;
}

/* Finds the rows with costs in the file; of code without a file, those of its object. */
static void find_by_file(const struct group_list *g, const struct row *group, bool *members)
{
    const struct data *d = g->list.view.data;
    const struct cprof_profile *p = d->profile;
    uint32_t object = p->functions[group->function].object;
    bool *same = files_of(g, group->name);

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        uint32_t row = d->row_of[c->function];
        bool known = c->file != CPROF_NONE && strcmp(p->files[c->file], UNNAMED) != 0;

        if (row != CPROF_NONE &&
            (known ? same[c->file] : !group->file && p->functions[c->function].object == object))
            members[row] = true;
    }
    free(same);
}

/* Finds the rows with a function in the group: in some profiles a row is several functions. */
static bool *members_of(const struct group_list *g, const struct row *group)
{
    const struct data *d = g->list.view.data;
    const struct cprof_profile *p = d->profile;
    bool *members = xcalloc(d->rows.n + 1, sizeof *members);

    if (g->by == GROUP_FILE)
        find_by_file(g, group, members);
    for (uint32_t i = 0; i < p->n_functions && g->by != GROUP_FILE; i++) {
        bool same = g->by == GROUP_CRATE
                        ? d->crates.of_function[i] == d->crates.of_function[group->function]
                        : p->functions[i].object == p->functions[group->function].object;

        if (same && d->row_of[i] != CPROF_NONE)
            members[d->row_of[i]] = true;
    }
    return members;
}

/*--- The view ---*/

static char *title(const struct view *view)
{
    const struct group_list *g = (const void *)view;
    const char *by[] = {data_self(view->data)->name, "inclusive", "name"};

    return xasprintf("%s by %s%s: %s of %s", group_word(g->by, true),
                     g->list.sort == KEY_SELF ? "own " : "", by[g->list.sort],
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(g->rows.n));
}

static void open_group(struct group_list *g)
{
    struct view *view = &g->list.view;
    size_t item = list_selected(view);
    const struct row *group;
    bool *members;
    char *name;

    if (item == SIZE_MAX)
        return;
    group = &g->rows.items[item];
    members = members_of(g, group);
    name = group_name(g, group);
    browser_open(view->browser, view_functions_of(view->browser, view->data, members, name));
    free(members);
    free(name);
}

static void open_next(struct group_list *g)
{
    struct view *view = &g->list.view;

    if (g->by == GROUP_OBJECT) {
        browser_open(view->browser, view_functions(view->browser, view->data));
        return;
    }
    load(g, g->by == GROUP_CRATE ? GROUP_FILE : GROUP_OBJECT);
    list_renew(&g->list, g->rows.n);
}

static bool act(struct view *view, enum action action)
{
    struct group_list *g = (void *)view;

    switch (action) {
    case ACTION_GROUP:
        open_next(g);
        return true;
    case ACTION_INCLUSIVE:
        if (!g->inclusive)
            return false;
        g->list.sort = g->list.sort == KEY_INCLUSIVE ? KEY_SELF : KEY_INCLUSIVE;
        g->list.reversed = false;
        list_update(view);
        return true;
    case ACTION_OPEN:
        open_group(g);
        return true;
    default:
        return list_act(view, action);
    }
}

static void free_view(struct view *view)
{
    struct group_list *g = (void *)view;

    list_free(&g->list);
    columns_free(&g->columns);
    rows_free(&g->rows);
    free(g);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "functions"}, {ACTION_GROUP, "other groups"}, {ACTION_INCLUSIVE, "inclusive"},
    {ACTION_FILTER, "filter"},  {ACTION_ESCAPE, "back"},        {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = list_update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .free = free_view};

struct view *view_groups(struct browser *browser, struct data *data)
{
    struct group_list *g = list_new(sizeof *g, &class, browser, data, line, "none has that name");

    load(g, GROUP_CRATE);
    list_begin(&g->list, &list_class, g->rows.n);
    return &g->list.view;
}
