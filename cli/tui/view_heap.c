#include <config.h>

/* Who allocates: the functions that memory is put to, as the table of the heap has them. */
#include "base/memory.h"
#include "render/text/heap_table.h"
#include "render/text/text.h"
#include "table/heap.h"
#include "table/own.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#define ALL_ELSE "[all else]"

struct heap_list {
    struct list list;
    struct own own;
    struct heap_table table; /* whose measure is what `own` is loaded for; NULL: it is not */
    struct heap_rows rows;
};

static const struct column *measure_of(const struct list *l)
{
    return heap_measure(&l->view.browsed->columns, browsed_self(l->view.browsed)->name);
}

static void unload(struct list *l)
{
    struct heap_list *h = (void *)l;

    own_free(&h->own);
    heap_rows_free(&h->rows);
}

static size_t load(struct list *l)
{
    struct heap_list *h = (void *)l;
    struct browsed *d = l->view.browsed;

    if (h->table.measure)
        unload(l);
    h->table = (struct heap_table){.own = &h->own, .measure = measure_of(l), .root = d->root};
    own_load(&h->own, profile_paths(d->profile), &d->crates, browsed_callers(d)->is,
             h->table.measure, false);
    heap_rows_load(&h->rows, &h->own, h->own.n, 0, heap_allocates);
    return h->rows.n;
}

static bool is_stale(const struct list *l)
{
    return ((const struct heap_list *)l)->table.measure != measure_of(l);
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct heap_row *r = &((const struct heap_list *)l)->rows.items[i];
    struct pane_row row;

    if (!r->function)
        return (struct pane_row){
            .row = r, .name = ALL_ELSE, .function = CPROF_NONE, .look = LOOK_DIM, .is_rest = true};
    row = pane_row_of(&r->function->row, r);
    row.opens_there = true;
    return row;
}

static void columns(struct list *l)
{
    pane_table_begin(&l->drawn, &((struct heap_list *)l)->table);
    table_columns(&l->drawn.table, heap_table_columns, HEAP_COLUMNS);
    list_fit(l);
}

static void open(struct list *l, size_t i)
{
    const struct view *v = &l->view;

    if (item(l, i).is_rest)
        browser_say(v->browser, "no function of these; t shows all paths that allocate");
    else
        browser_open_line(v->browser, list_row(v), list_place(v));
}

static char *title(const struct view *view)
{
    const struct heap_list *h = (const void *)view;
    const struct cprof_profile *p = view->browsed->profile;
    struct heap_sums s = heap_sums_of(p, p->totals);

    return xasprintf("heap by %s: %s block%s, peak %s bytes, at the end %s", h->table.measure->name,
                     TEXT_COUNT(s.blocks), s.blocks == 1 ? "" : "s", TEXT_COUNT(s.peak_bytes),
                     TEXT_COUNT(s.end_bytes));
}

static bool suits(const struct column *measure)
{
    return heap_is_column(measure->name);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"},     {ACTION_CALLS, "calls"}, {ACTION_TREE, "tree"},
    {ACTION_OWN, "code"},        {ACTION_DATA, "data"},   {ACTION_CURVES, "curves"},
    {ACTION_FILTER, "filter"},   {ACTION_EVENT, "event"}, {ACTION_ESCAPE, "back"},
    {ACTION_SORT_RIGHT, "sort"}, {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW(hints), .id = VIEW_HEAP, .title = title,
                                        .act = list_act, .suits = suits};

static const struct list_class list_class = {.item = item,
                                             .load = load,
                                             .is_stale = is_stale,
                                             .columns = columns,
                                             .open = open,
                                             .unload = unload,
                                             .by_name = true};

struct view *view_heap(struct browser *browser, struct browsed *browsed)
{
    return list_start(list_make(sizeof(struct heap_list), &class, &list_class, browser, browsed,
                                "no function that allocates has that name"));
}
