#include <config.h>

/* Costs by crate, file or object. */
#include "tui/view.h"

#include "base/memory.h"
#include "model/crates.h"
#include "model/groups.h"
#include "model/graph.h"
#include "model/location.h"
#include "out/text.h"
#include "tui/browser.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct grouped {
    struct view view;
    enum group_by by;
    struct crates crates;
    struct cprof_profile profile; /* as groups.h sees it */
    struct columns columns;       /* of it */
    struct rows rows;
    size_t *shown; /* rows, in order */
    const struct column *self, *inclusive;
    bool by_inclusive, reversed;
};

/*--- Rows ---*/

static char *group_name(const struct grouped *g, const struct row *row)
{
    char *path =
        g->by == GROUP_FILE ? location_path(row->name, g->view.data->root) : xstrdup(row->name);
    char *clean = text_clean(path, screen_utf8());

    free(path);
    return clean;
}

static void show(struct grouped *g, const char *text)
{
    struct pane *p = &g->view.panes[0];

    p->n = 0;
    for (size_t i = 0; i < g->rows.n; i++) {
        size_t at = g->reversed ? g->rows.n - 1 - i : i;

        if (!text || !*text || strcasestr(g->rows.items[at].name, text))
            g->shown[p->n++] = at;
    }
}

static void make_columns(struct grouped *g)
{
    struct pane *p = &g->view.panes[0];
    char mark = g->reversed ? '^' : 'v';

    p->n_columns = 0;
    data_head(g->view.data, p, g->self->header, g->by_inclusive ? 0 : mark);
    if (g->inclusive)
        data_head(g->view.data, p, "Inclusive", g->by_inclusive ? mark : 0);
    p->columns[p->n_columns++] =
        (struct pane_column){.head = g->by == GROUP_CRATE  ? "Crate"
                                     : g->by == GROUP_FILE ? "File"
                                                           : "Object",
                             .width = 16,
                             .share = 1,
                             .cut = g->by == GROUP_CRATE ? CUT_MIDDLE : CUT_START};
}

static void update(struct view *view)
{
    struct grouped *g = (void *)view;
    const struct column *self = columns_find(&g->columns, data_self(view->data)->name);

    g->self = self ? self : g->columns.items;
    g->inclusive = columns_inclusive(&g->columns, g->self);
    if (!g->inclusive)
        g->by_inclusive = false;
    rows_sort(&g->rows, g->by_inclusive ? g->inclusive : g->self);
    show(g, view->filter);
    make_columns(g);
}

static void load(struct grouped *g, enum group_by by)
{
    struct data *d = g->view.data;

    if (g->shown) {
        columns_free(&g->columns);
        rows_free(&g->rows);
        free(g->shown);
    }
    g->by = by;
    g->profile = groups_view(d->profile, by);
    columns_load(&g->columns, &g->profile);
    groups_load(&g->rows, &g->profile, &g->crates, by);
    g->shown = xcalloc(g->rows.n + 1, sizeof *g->shown);
    g->view.panes[0].selected = g->view.panes[0].top = 0;
    update(&g->view);
}

static void line(struct pane *pane, size_t i, struct line_cells *cells)
{
    const struct grouped *g = pane->view;
    const struct row *row = &g->rows.items[g->shown[i]];
    int at = 0;

    data_cells(g->view.data, cells, &at, column_value(g->self, row->counts), false);
    if (g->inclusive)
        data_cells(g->view.data, cells, &at, column_value(g->inclusive, row->counts),
                   row->bound == BOUND_LEAST);
    cells->text[at] = group_name(g, row);
}

/*--- Which functions a group has ---*/

/* Which files of the profile are shown as the group is. */
static bool *files_of(const struct grouped *g, const char *name)
{
    const struct cprof_profile *p = g->view.data->profile;
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

/* Rows that have costs in the file; of code without one, those of its object. */
static void find_by_file(const struct grouped *g, const struct row *group, bool *members)
{
    const struct data *d = g->view.data;
    const struct cprof_profile *p = d->profile;
    uint32_t object = p->functions[group->function].object;
    bool *same = files_of(g, group->name);

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        uint32_t row = d->row_of[c->function];
        bool known = c->file != CPROF_NONE && strcmp(p->files[c->file], "???") != 0;

        if (row != CPROF_NONE &&
            (known ? same[c->file] : !group->file && p->functions[c->function].object == object))
            members[row] = true;
    }
    free(same);
}

static bool *members_of(const struct grouped *g, const struct row *group)
{
    const struct data *d = g->view.data;
    const struct cprof_function *functions = d->profile->functions;
    bool *members = xcalloc(d->rows.n + 1, sizeof *members);

    if (g->by == GROUP_FILE)
        find_by_file(g, group, members);
    for (size_t i = 0; i < d->rows.n && g->by != GROUP_FILE; i++) {
        uint32_t function = d->rows.items[i].function;

        members[i] = g->by == GROUP_CRATE
                         ? g->crates.of_function[function] == g->crates.of_function[group->function]
                         : functions[function].object == functions[group->function].object;
    }
    return members;
}

/*--- The view ---*/

static void filter_by(struct view *view, const char *text)
{
    show((struct grouped *)view, text);
    view->panes[0].selected = view->panes[0].top = 0;
}

static char *title(const struct view *view)
{
    const struct grouped *g = (const void *)view;

    return xasprintf(
        "%s by %s%s: %zu of %zu", group_word(g->by, true), g->by_inclusive ? "" : "own ",
        g->by_inclusive ? "inclusive" : data_self(view->data)->name, view->panes[0].n, g->rows.n);
}

static size_t no_row(const struct view *view)
{
    (void)view;
    return SIZE_MAX;
}

static void open_group(struct grouped *g)
{
    struct view *view = &g->view;
    const struct row *group;
    bool *members;
    char *name;

    if (!view->panes[0].n)
        return;
    group = &g->rows.items[g->shown[view->panes[0].selected]];
    members = members_of(g, group);
    name = group_name(g, group);
    browser_open(view->browser, view_functions_of(view->browser, view->data, members, name));
    free(members);
    free(name);
}

static bool act(struct view *view, enum action action)
{
    struct grouped *g = (void *)view;

    switch (action) {
    case ACTION_GROUP:
        if (g->by == GROUP_OBJECT)
            browser_open(view->browser, view_functions(view->browser, view->data));
        else
            load(g, g->by == GROUP_CRATE ? GROUP_FILE : GROUP_OBJECT);
        return true;
    case ACTION_SORT_LEFT:
    case ACTION_SORT_RIGHT:
        g->by_inclusive = action == ACTION_SORT_RIGHT && g->inclusive;
        break;
    case ACTION_INCLUSIVE:
        g->by_inclusive = !g->by_inclusive && g->inclusive;
        break;
    case ACTION_REVERSE:
        g->reversed = !g->reversed;
        break;
    case ACTION_OPEN:
        open_group(g);
        return true;
    default:
        return false;
    }
    update(view);
    return true;
}

static void free_view(struct view *view)
{
    struct grouped *g = (void *)view;

    columns_free(&g->columns);
    rows_free(&g->rows);
    crates_free(&g->crates);
    free(g->shown);
    free(view->filter);
    free(g);
}

static const struct view_class class = {.title = title,
                                        .update = update,
                                        .act = act,
                                        .filter = filter_by,
                                        .row = no_row,
                                        .free = free_view};

struct view *view_groups(struct browser *browser, struct data *data,
                         const struct packages *packages)
{
    struct grouped *g = xcalloc(1, sizeof *g);

    g->view = (struct view){.class = &class, .browser = browser, .data = data, .n_panes = 1};
    g->view.panes[0] = (struct pane){.line = line, .view = g, .empty = "none has that name"};
    crates_load(&g->crates, data->profile, packages);
    load(g, GROUP_CRATE);
    return &g->view;
}
