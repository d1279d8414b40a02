#include <config.h>

/* The callers and callees of one function; and the callers of a line of source. */
#include "annotate/annotation.h"
#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "names/location.h"
#include "paths/call_rows.h"
#include "paths/line_callers.h"
#include "render/text/text.h"
#include "table/search.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>

enum column_id { COST, CALLS, NAME, SITE };
enum { CALLS_WIDTH = 9 };

typedef struct cell cell_fn(const void *subject, const void *row,
                            const struct table_column *column);

static void add_columns(struct pane_table *s, const struct table_column *cost, bool bar,
                        const char *name, int share, cell_fn *cell)
{
    pane_table_add_cost(s, cost, bar);
    pane_table_add(s, &(struct table_column){"Calls", TABLE_VALUE, .cell = cell, .id = CALLS},
                   CALLS_WIDTH, 0, TEXT_CUT_MIDDLE);
    pane_table_add_names(
        s, &(struct table_column){name, TABLE_NAME, .cell = cell, .id = NAME}, share,
        &(struct table_column){"Call site", TABLE_PLACE, .cell = cell, .id = SITE});
}

/*--- One function: its callers above, its callees below ---*/

enum { CALLERS, CALLEES };

struct calls_view {
    struct view view;
    size_t row;
    bool own_only;        /* the lists have own code alone */
    struct rows lists[2]; /* the function of a row is a row of `browsed` */
    struct pane_table tables[2];
};

/* Loads callers and callees, of own code or all. */
static void load(struct calls_view *c)
{
    struct browsed *d = c->view.browsed;

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

static struct cell cell_of(const void *data, const void *row, const struct table_column *c)
{
    const struct browsed *d = data;
    const struct row *r = row;

    return c->id == CALLS  ? browsed_calls(d, r)
           : c->id == NAME ? cell_take(row_label(&d->rows.items[r->function], false, NULL))
                           : cell_take(location_text(r->file, r->line, r->object, d->root));
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct calls_view *c = pane->view;
    ptrdiff_t number = pane - c->view.panes;
    const struct row *r = &c->lists[number].items[i];
    struct pane_row row = pane_row_of(r, r);

    row.function = c->view.browsed->rows.items[r->function].function;
    pane_table_line(&c->tables[number], &row, cells);
}

static void update(struct view *view)
{
    struct calls_view *c = (void *)view;
    const struct browsed *d = view->browsed;
    struct table_column cost =
        pane_table_cost_column(browsed_inclusive(d), browsed_self(d)->header, COST);

    if (c->own_only != d->own_only)
        load(c);
    for (int i = 0; i < 2; i++) {
        pane_table_begin(&c->tables[i], d);
        c->tables[i].dim_places = true;
        add_columns(&c->tables[i], &cost, false, i == CALLERS ? "Called by" : "Calls to", 3,
                    cell_of);
        rows_sort(&c->lists[i], browsed_inclusive(d), NULL);
    }
}

static char *title(const struct view *view)
{
    const struct calls_view *c = (const void *)view;
    const struct browsed *d = view->browsed;
    const struct row *row = &d->rows.items[c->row];
    char self[TEXT_NUMBER], incl[TEXT_NUMBER], *name = browsed_name(d, c->row), *text;
    int64_t total = browsed_total(d);

    text_percent(self, column_value(browsed_self(d), row->counts), total, 1);
    text_percent(incl, column_value(browsed_inclusive(d), row->counts), total, 1);
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
        view->browsed->own_only = !view->browsed->own_only;
        update(view);
        return true;
    }
    if (action != ACTION_OPEN)
        return false;
    if (view_pane(view)->n)
        browser_open(view->browser, view_calls(view->browser, view->browsed, selected_row(view)));
    return true;
}

static void free_view(struct view *view)
{
    struct calls_view *c = (void *)view;

    for (int i = 0; i < 2; i++) {
        rows_free(&c->lists[i]);
        pane_table_free(&c->tables[i]);
    }
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

struct view *view_calls(struct browser *browser, struct browsed *browsed, size_t row)
{
    struct calls_view *c = xcalloc(1, sizeof *c);

    c->view = (struct view){
        .class = &class, .browser = browser, .browsed = browsed, .n_panes = 2, .focus = CALLEES};
    c->row = row;
    for (int i = 0; i < 2; i++) {
        c->view.panes[i] =
            (struct pane){.line = line,
                          .view = c,
                          .empty = i == CALLERS ? "nothing calls it" : "it calls nothing"};
        c->tables[i] =
            (struct pane_table){.browsed = browsed, .pane = &c->view.panes[i], .sort = COST};
    }
    load(c);
    if (!c->lists[CALLEES].n)
        c->view.focus = CALLERS;
    update(&c->view);
    return &c->view;
}

/*--- The callers of a line ---*/

struct caller_list {
    struct list list;
    size_t row;
    struct place place;
    bool *functions; /* a flag for each function of the profile: the row's */
    struct line_callers callers;
    const struct column *measure; /* that they are loaded for; NULL: they are not */
};

static bool is_stale(const struct list *l)
{
    return ((const struct caller_list *)l)->measure != browsed_self(l->view.browsed);
}

static size_t load_callers(struct list *l)
{
    struct caller_list *c = (void *)l;

    line_callers_free(&c->callers);
    c->measure = browsed_self(l->view.browsed);
    line_callers_load(&c->callers, l->view.browsed->profile, c->functions, c->place.file,
                      c->place.line, c->measure);
    return c->callers.n;
}

static const char *name_of(const struct browsed *d, const struct line_caller *caller)
{
    return caller->function == CPROF_NONE ? "[nothing: a path begins here]"
                                          : d->profile->functions[caller->function].name;
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct browsed *d = l->view.browsed;
    const struct line_caller *c = &((const struct caller_list *)l)->callers.items[i];

    return (struct pane_row){
        .row = c,
        .name = name_of(d, c),
        .function = c->function,
        .look = c->function == CPROF_NONE ? LOOK_DIM : LOOK_TEXT,
        .file = c->file == CPROF_NONE ? NULL : d->profile->files[c->file],
        .line = c->line,
        .opens_there = true,
    };
}

static struct cell calls_cell(const struct browsed *d, const struct line_caller *c)
{
    return c->inlined                    ? (struct cell){.kind = CELL_CALLS, .whole = 1}
           : graph_has_calls(d->profile) ? cell_count(calls_count(c->calls))
                                         : cell_text("-");
}

static struct cell caller_cell(const void *list, const void *row, const struct table_column *c)
{
    const struct caller_list *l = list;
    const struct browsed *d = l->list.view.browsed;
    const struct line_caller *caller = row;
    struct code_spot spot = {CPROF_NONE, caller->file, caller->line};

    switch ((enum column_id)c->id) {
    case COST:
        return cell_count(column_value(l->measure, caller->counts));
    case CALLS:
        return calls_cell(d, caller);
    case NAME:
        return caller->function == CPROF_NONE
                   ? cell_text(name_of(d, caller))
                   : cell_take(browsed_function_name(d, caller->function));
    default:
        return cell_spot(d->profile, &spot, d->root);
    }
}

static void columns(struct list *l)
{
    const struct table_column cost = {browsed_self(l->view.browsed)->header, TABLE_COUNT,
                                      .cell = caller_cell, .id = COST};

    pane_table_begin(&l->drawn, l);
    add_columns(&l->drawn, &cost, true, "Called by", 1, caller_cell);
}

static char *caller_title(const struct view *view)
{
    const struct caller_list *c = (const void *)view;
    char percent[TEXT_NUMBER], *name = browsed_name(view->browsed, c->row), *text, *place;
    int64_t sum = 0;

    for (size_t i = 0; i < c->callers.n; i++)
        count_add(&sum, column_value(c->measure, c->callers.items[i].counts));
    text_percent(percent, sum, browsed_total(view->browsed), 1);
    place = browsed_clean(location_text(c->place.file, c->place.line, NULL, view->browsed->root));
    text = xasprintf("callers of %s%s%s: %s %%", place, *place ? " in " : "", name, percent);
    free(place);
    free(name);
    return text;
}

static void open(struct list *l, size_t i)
{
    const struct view *v = &l->view;
    size_t row = list_row(v);

    (void)i;
    if (row != SIZE_MAX)
        browser_open(v->browser, view_source(v->browser, v->browsed, row, list_place(v), false));
    else
        browser_say(v->browser, "no function has this call");
}

static void unload(struct list *l)
{
    struct caller_list *c = (void *)l;

    line_callers_free(&c->callers);
    free(c->functions);
}

static const struct key_hint caller_hints[] = {
    {ACTION_OPEN, "source"}, {ACTION_CALLERS, "callers of that"},
    {ACTION_CALLS, "calls"}, {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class caller_view = {LIST_VIEW(caller_hints), .title = caller_title,
                                              .act = list_act};

static const struct list_class caller_class = {.item = item,
                                               .load = load_callers,
                                               .is_stale = is_stale,
                                               .columns = columns,
                                               .open = open,
                                               .unload = unload};

struct view *view_callers(struct browser *browser, struct browsed *browsed, size_t row,
                          struct place place)
{
    struct caller_list *c = list_make(sizeof *c, &caller_view, &caller_class, browser, browsed,
                                      "nothing was charged to this line; Esc goes back");

    c->row = row;
    c->place = place;
    c->functions = annotation_functions(browsed->profile, &browsed->rows.items[row]);
    return list_start(&c->list);
}
