#include <config.h>

/* One function: its callers above, its callees below. */
#include "base/memory.h"
#include "paths/call_rows.h"
#include "render/text/text.h"
#include "tui/browser_state.h"
#include "tui/view.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CALLERS, CALLEES };

struct calls_view {
    struct view view;
    size_t row;
    bool own_only; /* the lists have own code alone */
    struct rows lists[2];
};

/* Loads callers and callees, of own code or all. */
static void load(struct calls_view *c)
{
    struct data *d = c->view.data;

    for (int i = 0; i < 2; i++) {
        struct rows *list = &c->lists[i];
        size_t kept = 0;

        rows_free(list);
        call_rows_load(list, &d->rows, c->row, i == CALLERS);
        for (size_t k = 0; k < list->n; k++)
            if (!d->own_only || d->crates.own[d->rows.items[list->items[k].function].function])
                list->items[kept++] = list->items[k];
        list->n = kept;
        c->view.panes[i].n = kept;
    }
    c->own_only = d->own_only;
}

static const struct row *item(const struct pane *pane, size_t i)
{
    const struct calls_view *c = pane->view;

    return &c->lists[pane - c->view.panes].items[i];
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct calls_view *c = pane->view;
    const struct data *d = c->view.data;
    const struct row *row = item(pane, i);
    struct data site = *d;
    int at = 0;

    data_cells(d, cells, &at, column_value(data_inclusive(d), row->counts), false);
    data_calls_cell(d, cells, &at, row);
    cells->text[at] = data_name(d, row->function);
    cells->look[at++] =
        data_name_look(d, d->rows.items[row->function].function, row_is_inlined(row));
    site.rows = c->lists[pane - c->view.panes];
    cells->text[at] = data_place(&site, i);
    cells->look[at] = LOOK_DIM;
}

static void make_columns(struct calls_view *c)
{
    for (int i = 0; i < 2; i++) {
        struct pane *p = &c->view.panes[i];
        struct pane_column name = {
            .head = i == CALLERS ? "Called by" : "Calls to", .share = 3, .cut = TEXT_CUT_NAME};

        p->n_columns = 0;
        data_head(c->view.data, p, data_self(c->view.data)->header, 'v');
        p->columns[p->n_columns++] =
            (struct pane_column){.head = "Calls", .width = 9, .right = true};
        name.width = data_names_width(c->view.data, p);
        p->columns[p->n_columns++] = name;
        p->columns[p->n_columns++] = (struct pane_column){
            .head = "Call site", .width = 10, .share = 2, .cut = TEXT_CUT_PLACE};
    }
}

static void update(struct view *view)
{
    struct calls_view *c = (void *)view;

    if (c->own_only != view->data->own_only)
        load(c);
    make_columns(c);
    for (int i = 0; i < 2; i++)
        rows_sort(&c->lists[i], data_inclusive(view->data), NULL);
}

static char *title(const struct view *view)
{
    const struct calls_view *c = (const void *)view;
    const struct data *d = view->data;
    const struct row *row = &d->rows.items[c->row];
    char self[TEXT_NUMBER], incl[TEXT_NUMBER], *name = data_name(d, c->row), *text;
    int64_t total = data_total(d);

    text_percent(self, column_value(data_self(d), row->counts), total, 1);
    text_percent(incl, column_value(data_inclusive(d), row->counts), total, 1);
    text = xasprintf("%s: %s %% own, %s %% inclusive", name, self, incl);
    free(name);
    return text;
}

static size_t selected_row(const struct view *view)
{
    const struct calls_view *c = (const void *)view;
    const struct pane *p = &view->panes[view->focus];

    return p->n ? c->lists[view->focus].items[p->selected].function : c->row;
}

static bool act(struct view *view, enum action action)
{
    if (action == ACTION_OWN_ONLY) {
        view->data->own_only = !view->data->own_only;
        update(view);
        return true;
    }
    if (action != ACTION_OPEN)
        return false;
    if (view_pane(view)->n)
        browser_open(view->browser, view_calls(view->browser, view->data, selected_row(view)));
    return true;
}

static void free_view(struct view *view)
{
    struct calls_view *c = (void *)view;

    for (int i = 0; i < 2; i++)
        rows_free(&c->lists[i]);
    free(view->filter);
    free(c);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "calls"},        {ACTION_NEXT_PANE, "other half"}, {ACTION_SOURCE, "source"},
    {ACTION_OWN_ONLY, "own only"}, {ACTION_ESCAPE, "back"},          {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .row = selected_row,
                                        .free = free_view};

struct view *view_calls(struct browser *browser, struct data *data, size_t row)
{
    struct calls_view *c = xcalloc(1, sizeof *c);

    c->view = (struct view){
        .class = &class, .browser = browser, .data = data, .n_panes = 2, .focus = CALLEES};
    c->row = row;
    for (int i = 0; i < 2; i++)
        c->view.panes[i] =
            (struct pane){.line = line,
                          .view = c,
                          .empty = i == CALLERS ? "nothing calls it" : "it calls nothing"};
    load(c);
    if (!c->lists[CALLEES].n)
        c->view.focus = CALLERS;
    update(&c->view);
    return &c->view;
}
