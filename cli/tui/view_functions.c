#include <config.h>

/* The list of functions. */
#include "base/memory.h"
#include "calls/graph.h"
#include "render/text/table_text.h"
#include "render/text/text.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_SELF, KEY_INCLUSIVE, KEY_CALLS_MADE, KEY_NAME, KEY_PLACE, N_KEYS };
/* Keys from KEY_RATIO on are columns of ratios, which a screen of so many columns has room for. */
enum { KEY_RATIO = N_KEYS, RATIO_WIDTH = 9, RATIOS_FROM = 100 };

struct function_list {
    struct list list;
    size_t *rows; /* by item */
    char *group;  /* the group's name; NULL: the program */
};

/*--- Order ---*/

static const struct row *row_of(const struct list *l, size_t item)
{
    const struct function_list *f = (const void *)l;

    return &l->view.data->rows.items[f->rows[item]];
}

static const char *name_of(const struct list *l, size_t item)
{
    return row_of(l, item)->name;
}

static const char *text_of(const struct list *l, size_t item)
{
    const struct row *r = row_of(l, item);

    return l->sort == KEY_NAME    ? r->name
           : l->sort != KEY_PLACE ? NULL
           : r->file              ? r->file
           : r->object            ? r->object
                                  : "";
}

static int compare(const struct list *l, size_t a, size_t b)
{
    const struct row *r = row_of(l, a), *s = row_of(l, b);

    return l->sort == KEY_PLACE ? (r->line > s->line) - (r->line < s->line) : 0;
}

static long double value_of(const struct list *l, size_t item)
{
    const struct data *d = l->view.data;
    const struct column *column = l->sort >= KEY_RATIO  ? &d->columns.items[l->sort - KEY_RATIO]
                                  : l->sort == KEY_SELF ? data_self(d)
                                  : l->sort == KEY_INCLUSIVE  ? data_inclusive(d)
                                  : l->sort == KEY_CALLS_MADE ? columns_find(&d->columns, "Calls")
                                                              : NULL;

    if (column && column_is_ratio(column))
        return row_value(row_of(l, item), column);
    return column ? column_value(column, row_of(l, item)->counts) : 0;
}

/*--- Columns ---*/

static void columns(struct list *l)
{
    const struct data *d = l->view.data;
    char calls[TEXT_NUMBER];

    list_add_numbers(l, KEY_SELF, data_self(d)->header);
    if (data_has_bars()) {
        l->keys[l->view.panes[0].n_columns] = KEY_SELF;
        data_bar_head(&l->view.panes[0]);
    }
    if (d->has_calls) {
        int width = (int)strlen(text_count(calls, d->rows.totals[2 * d->profile->n_events]));

        list_add_inclusive(l, KEY_INCLUSIVE, &d->rows);
        list_add(
            l, KEY_CALLS_MADE, false,
            &(struct pane_column){.head = "Calls", .width = width < 7 ? 7 : width, .right = true});
    }
    for (size_t i = 0; i < d->columns.n && COLS >= RATIOS_FROM; i++)
        if (column_is_ratio(&d->columns.items[i]))
            list_add(l, KEY_RATIO + (int)i, false,
                     &(struct pane_column){
                         .head = d->columns.items[i].header, .width = RATIO_WIDTH, .right = true});
    list_add_names(l, KEY_NAME, KEY_PLACE);
}

static bool is_own(const struct list *l, size_t item)
{
    return l->view.data->crates.own[row_of(l, item)->function];
}

static const struct list_class list_class = {.name = name_of,
                                             .value = value_of,
                                             .text = text_of,
                                             .compare = compare,
                                             .columns = columns,
                                             .row = row_of,
                                             .own = is_own};

static char *ratio_text(const struct row *row, const struct column *column)
{
    struct cell cell = cell_ratio(row, column);

    return cell_text_of(&cell, COUNT_FULL);
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct function_list *f = pane->view;
    const struct data *d = f->list.view.data;
    size_t at = f->rows[f->list.shown[i]];
    const struct row *row = &d->rows.items[at];
    int c = 0;

    data_cells(d, cells, &c, column_value(data_self(d), row->counts), false);
    if (data_has_bars())
        data_bar_cell(d, cells, &c, column_value(data_self(d), row->counts),
                      data_name_look(d, row->function, false));
    if (d->has_calls) {
        data_cells(d, cells, &c, column_value(data_inclusive(d), row->counts),
                   row->bound == BOUND_LEAST);
        data_calls_cell(d, cells, &c, row);
    }
    for (size_t k = 0; k < d->columns.n && COLS >= RATIOS_FROM; k++)
        if (column_is_ratio(&d->columns.items[k]))
            cells->text[c++] = ratio_text(row, &d->columns.items[k]);
    cells->text[c] = data_name(d, at);
    cells->look[c++] = data_name_look(d, row->function, row_is_inlined(row));
    cells->text[c] = data_place(d, at);
    cells->look[c] = LOOK_DIM;
}

/*--- The view ---*/

static char *title(const struct view *view)
{
    const struct function_list *f = (const void *)view;
    const char *by[N_KEYS] = {data_self(view->data)->name, "inclusive", "calls", "name",
                              "location"};

    const char *key = f->list.sort < KEY_RATIO
                          ? by[f->list.sort]
                          : view->data->columns.items[f->list.sort - KEY_RATIO].name;

    return xasprintf("functions%s%s by %s%s: %s of %s%s", f->group ? " of " : "",
                     f->group ? f->group : "", f->list.sort == KEY_SELF ? "own " : "", key,
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(f->list.n),
                     view->data->own_only ? ", own code" : "");
}

static bool act(struct view *view, enum action action)
{
    struct list *l = (void *)view;

    switch (action) {
    case ACTION_INCLUSIVE:
        if (!view->data->has_calls)
            return false;
        l->sort = l->sort == KEY_INCLUSIVE ? KEY_SELF : KEY_INCLUSIVE;
        l->reversed = false;
        list_update(view);
        return true;
    case ACTION_OPEN:
        browser_open_function(view->browser, list_row(view));
        return true;
    default:
        return list_act(view, action);
    }
}

static void free_view(struct view *view)
{
    struct function_list *f = (void *)view;

    list_free(&f->list);
    free(f->rows);
    free(f->group);
    free(f);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "calls"},        {ACTION_SOURCE, "source"}, {ACTION_TREE, "tree"},
    {ACTION_OWN_ONLY, "own only"}, {ACTION_FILTER, "filter"}, {ACTION_ESCAPE, "back"},
    {ACTION_SECTIONS, "sections"}, {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = list_update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .row = list_row,
                                        .free = free_view};

struct view *view_functions_of(struct browser *browser, struct data *data, const bool *members,
                               const char *group)
{
    struct function_list *f =
        list_new(sizeof *f, &class, browser, data, line, "no function has that name");
    size_t n = 0;

    f->group = group ? xstrdup(group) : NULL;
    f->rows = xreallocarray(NULL, data->rows.n, sizeof *f->rows);
    for (size_t i = 0; i < data->rows.n; i++)
        if (!members || members[i])
            f->rows[n++] = i;
    list_begin(&f->list, &list_class, n);
    return &f->list.view;
}

struct view *view_functions(struct browser *browser, struct data *data)
{
    return view_functions_of(browser, data, NULL, NULL);
}
