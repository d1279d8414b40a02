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
    struct rows lists[2];
};

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

        p->n_columns = 0;
        data_head(c->view.data, p, data_self(c->view.data)->header, 'v');
        p->columns[p->n_columns++] =
            (struct pane_column){.head = "Calls", .width = 9, .right = true};
        p->columns[p->n_columns++] =
            (struct pane_column){.head = i == CALLERS ? "Called by" : "Calls to",
                                 .width = 16,
                                 .share = 3,
                                 .cut = TEXT_CUT_NAME};
        p->columns[p->n_columns++] = (struct pane_column){
            .head = "Call site", .width = 10, .share = 2, .cut = TEXT_CUT_START};
    }
}

static void update(struct view *view)
{
    struct calls_view *c = (void *)view;

    make_columns(c);
    for (int i = 0; i < 2; i++)
        rows_sort(&c->lists[i], data_inclusive(view->data));
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

static const struct view_class class = {
    .title = title, .update = update, .act = act, .row = selected_row, .free = free_view};

struct view *view_calls(struct browser *browser, struct data *data, size_t row)
{
    struct calls_view *c = xcalloc(1, sizeof *c);

    c->view = (struct view){
        .class = &class, .browser = browser, .data = data, .n_panes = 2, .focus = CALLEES};
    c->row = row;
    for (int i = 0; i < 2; i++) {
        call_rows_load(&c->lists[i], &data->rows, row, i == CALLERS);
        c->view.panes[i] =
            (struct pane){.line = line,
                          .view = c,
                          .n = c->lists[i].n,
                          .empty = i == CALLERS ? "nothing calls it" : "it calls nothing"};
    }
    if (!c->lists[CALLEES].n)
        c->view.focus = CALLERS;
    update(&c->view);
    return &c->view;
}
