#include <config.h>

/* The table of a view as text has it, for views of the browser that have no more than that. */
#include "base/memory.h"
#include "tui/browser.h"
#include "tui/browser_state.h"
#include "tui/list.h"

/* Items are rows; columns get the first cell of one. */
struct table_list {
    struct list list;
    enum view_id id;
    struct table filled;
};

static size_t load(struct list *l)
{
    struct table_list *t = (void *)l;

    l->view.browser->input->fill(t->id, l->view.browsed, &t->filled);
    return t->filled.n_rows;
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct table *t = &((const struct table_list *)l)->filled;
    const struct cell *cells = table_at(t, i, 0);
    struct pane_row row = {.row = cells, .function = CPROF_NONE};

    for (size_t c = 0; c < t->n_columns; c++) {
        if (cells[c].function && row.function == CPROF_NONE)
            row.function = cells[c].function - 1;
        if (!cells[c].file)
            continue;
        row.file = cells[c].file;
        row.line = cells[c].line;
        row.opens_there = true;
    }
    return row;
}

static void columns(struct list *l)
{
    list_show_table(l, &((const struct table_list *)l)->filled);
}

static char *title(const struct view *view)
{
    return xstrdup(((const struct table_list *)view)->filled.heading);
}

static void open(struct list *l, size_t i)
{
    (void)i;
    browser_open_line(l->view.browser, list_row(&l->view), list_place(&l->view));
}

static bool act(struct view *view, enum action action)
{
    return action == ACTION_VIEWS + (enum action)((const struct table_list *)view)->id ||
           list_act(view, action);
}

static void unload(struct list *l)
{
    table_free(&((struct table_list *)l)->filled);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"},   {ACTION_CALLERS, "callers"}, {ACTION_SORT_RIGHT, "sort"},
    {ACTION_FILTER, "filter"}, {ACTION_ESCAPE, "back"},     {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW(hints), .title = title, .act = act};

static const struct list_class list_class = {
    .item = item, .load = load, .columns = columns, .open = open, .unload = unload};

struct view *view_table(struct browser *browser, struct browsed *browsed, enum view_id id)
{
    struct table_list *t =
        list_make(sizeof *t, &class, &list_class, browser, browsed, "no row has that name");

    t->id = id;
    return list_start(&t->list);
}
