#include <config.h>

/* The callers of a line of source. */
#include "annotate/annotation.h"
#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "names/location.h"
#include "paths/line_callers.h"
#include "render/text/text.h"
#include "tui/browser_state.h"
#include "tui/view.h"

#include <stdint.h>
#include <stdlib.h>

struct callers_view {
    struct view view;
    size_t row;
    struct place place;
    bool *functions; /* a flag for each function of the profile: the row's */
    struct line_callers callers;
    const struct column *measure; /* that they are loaded for */
};

static char *site_text(const struct data *d, const struct line_caller *c)
{
    return data_spot(d, &(struct code_spot){CPROF_NONE, c->file, c->line});
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct callers_view *c = pane->view;
    const struct data *d = c->view.data;
    const struct line_caller *caller = &c->callers.items[i];
    int64_t value = column_value(c->measure, caller->counts);
    char text[TEXT_NUMBER];
    enum look look =
        caller->function == CPROF_NONE ? LOOK_DIM : data_name_look(d, caller->function, false);
    int at = 0;

    data_cells(d, cells, &at, value, false);
    data_bar_cell(d, cells, &at, value, look);
    cells->text[at] =
        xstrdup(caller->inlined               ? TEXT_INLINED
                : graph_has_calls(d->profile) ? text_count(text, calls_count(caller->calls))
                                              : "-");
    cells->look[at++] = caller->inlined ? LOOK_INLINED : LOOK_TEXT;
    cells->text[at] = caller->function == CPROF_NONE ? xstrdup("[nothing: a path begins here]")
                                                     : data_function_name(d, caller->function);
    cells->look[at++] = look;
    cells->text[at] = site_text(d, caller);
    cells->look[at] = LOOK_TEXT;
}

static void make_columns(struct callers_view *c)
{
    struct pane *p = &c->view.panes[0];
    struct pane_column name = {.head = "Called by", .share = 1, .cut = TEXT_CUT_NAME};

    p->n_columns = 0;
    data_head(c->view.data, p, data_self(c->view.data)->header, 'v');
    data_bar_head(p);
    p->columns[p->n_columns++] = (struct pane_column){.head = "Calls", .width = 9, .right = true};
    name.width = data_names_width(c->view.data, p);
    p->columns[p->n_columns++] = name;
    p->columns[p->n_columns++] =
        (struct pane_column){.head = "Call site", .width = 10, .share = 2, .cut = TEXT_CUT_PLACE};
}

static void update(struct view *view)
{
    struct callers_view *c = (void *)view;
    const struct column *measure = data_self(view->data);

    if (c->measure != measure) {
        line_callers_free(&c->callers);
        c->measure = measure;
        line_callers_load(&c->callers, view->data->profile, c->functions, c->place.file,
                          c->place.line, measure);
        view->panes[0].n = c->callers.n;
    }
    make_columns(c);
}

static const struct line_caller *selected(const struct view *view)
{
    const struct callers_view *c = (const void *)view;

    return c->callers.n ? &c->callers.items[view->panes[0].selected] : NULL;
}

static size_t selected_row(const struct view *view)
{
    const struct line_caller *caller = selected(view);
    uint32_t row = caller && caller->function != CPROF_NONE ? view->data->row_of[caller->function]
                                                            : CPROF_NONE;

    return row == CPROF_NONE ? SIZE_MAX : row;
}

static struct place selected_place(const struct view *view)
{
    const struct line_caller *caller = selected(view);

    return caller && caller->file != CPROF_NONE
               ? (struct place){view->data->profile->files[caller->file], caller->line}
               : (struct place){NULL, 0};
}

static char *title(const struct view *view)
{
    const struct callers_view *c = (const void *)view;
    char percent[TEXT_NUMBER], *name = data_name(view->data, c->row), *text, *at, *clean;
    int64_t sum = 0;

    for (size_t i = 0; i < c->callers.n; i++)
        count_add(&sum, column_value(c->measure, c->callers.items[i].counts));
    text_percent(percent, sum, data_total(view->data), 1);
    if (!c->place.file) {
        text = xasprintf("callers of %s: %s %%", name, percent);
    } else {
        at = location_text(c->place.file, c->place.line, NULL, view->data->root);
        clean = text_clean(at);
        text = xasprintf("callers of %s in %s: %s %%", clean, name, percent);
        free(at);
        free(clean);
    }
    free(name);
    return text;
}

static bool act(struct view *view, enum action action)
{
    size_t row = selected_row(view);

    if (action != ACTION_OPEN)
        return false;
    if (row != SIZE_MAX)
        browser_open(view->browser,
                     view_source(view->browser, view->data, row, selected_place(view), false));
    else
        browser_say(view->browser, "no function has this call");
    return true;
}

static void free_view(struct view *view)
{
    struct callers_view *c = (void *)view;

    line_callers_free(&c->callers);
    free(c->functions);
    free(view->filter);
    free(c);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"}, {ACTION_CALLERS, "callers of that"},
    {ACTION_CALLS, "calls"}, {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .row = selected_row,
                                        .place = selected_place,
                                        .free = free_view};

struct view *view_callers(struct browser *browser, struct data *data, size_t row,
                          struct place place)
{
    struct callers_view *c = xcalloc(1, sizeof *c);

    c->view = (struct view){.class = &class, .browser = browser, .data = data, .n_panes = 1};
    c->view.panes[0] = (struct pane){
        .line = line, .view = c, .empty = "nothing was charged to this line; Esc goes back"};
    c->row = row;
    c->place = place;
    c->functions = annotation_functions(data->profile, &data->rows.items[row]);
    update(&c->view);
    return &c->view;
}
