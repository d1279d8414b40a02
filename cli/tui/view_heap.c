#include <config.h>

/* Who allocates: the functions that memory is put to, as the table of the heap has them. */
#include "base/memory.h"
#include "names/location.h"
#include "render/text/heap_table.h"
#include "render/text/text.h"
#include "table/heap.h"
#include "table/own.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Keys from 0 on are figures. */
enum key { KEY_FUNCTION = HEAP_FUNCTION, KEY_PLACE = HEAP_PLACE };

#define ALL_ELSE "[all else]"

struct heap_list {
    struct list list;
    struct own own;
    struct heap_table table; /* whose measure is what `own` is loaded for; NULL: it is not */
    struct heap_rows rows;
    struct figures figures;
    int names;       /* the width of the widest name */
    bool has_places; /* the column of lines is shown */
};

static const struct heap_row *item_at(const struct list *l, size_t item)
{
    return &((const struct heap_list *)l)->rows.items[item];
}

static const struct row *row_of(const struct list *l, size_t item)
{
    const struct own_function *f = item_at(l, item)->function;

    return f ? &f->row : NULL;
}

/*--- Rows ---*/

static char *name_text(const struct heap_row *item)
{
    return item->function ? data_label(&item->function->row) : xstrdup(ALL_ELSE);
}

static void widen_names(struct heap_list *h, const struct heap_row *item)
{
    char *name = name_text(item);
    int width = data_bare_width(name);

    h->names = width > h->names ? width : h->names;
    free(name);
}

/* Loads the items. Returns how many they are. */
static size_t load(struct heap_list *h)
{
    struct data *d = h->list.view.data;

    if (h->table.measure) {
        own_free(&h->own);
        heap_rows_free(&h->rows);
    }
    h->table = (struct heap_table){
        .own = &h->own, .measure = heap_measure(&d->columns, data_self(d)->name), .root = d->root};
    own_load(&h->own, profile_paths(d->profile), &d->crates, data_callers(d)->is, h->table.measure,
             false);
    heap_rows_load(&h->rows, &h->own, h->own.n, 0, heap_allocates);
    figures_begin(&h->figures, &h->table, heap_table_columns, HEAP_NUMBERS);
    for (size_t i = 0; i < h->rows.n; i++) {
        figures_widen(&h->figures, &h->rows.items[i]);
        widen_names(h, &h->rows.items[i]);
    }
    return h->rows.n;
}

/*--- Order ---*/

static const char *name_of(const struct list *l, size_t item)
{
    const struct row *row = row_of(l, item);

    return row ? row->name : ALL_ELSE;
}

/* All else is below all functions. */
static long double value_of(const struct list *l, size_t item)
{
    const struct heap_list *h = (const void *)l;
    const struct heap_row *row = item_at(l, item);

    return row->function ? figures_order(&h->figures, row, l->sort) : 2 * (long double)INT64_MIN;
}

static const char *text_of(const struct list *l, size_t item)
{
    const struct row *row = row_of(l, item);

    return l->sort != KEY_PLACE ? name_of(l, item) : row && row->file ? row->file : "";
}

static int compare(const struct list *l, size_t a, size_t b)
{
    const struct row *r = row_of(l, a), *s = row_of(l, b);

    return r && s && l->sort == KEY_PLACE ? (r->line > s->line) - (r->line < s->line) : 0;
}

/*--- Columns ---*/

static void columns(struct list *l)
{
    struct heap_list *h = (void *)l;

    h->has_places =
        figures_add(&h->figures, l,
                    &(struct figure_names){.columns = heap_table_columns + HEAP_FUNCTION,
                                           .key = KEY_FUNCTION,
                                           .widest = h->names});
}

static const struct list_class list_class = {.name = name_of,
                                             .value = value_of,
                                             .text = text_of,
                                             .compare = compare,
                                             .columns = columns,
                                             .row = row_of};

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct heap_list *h = pane->view;
    const struct data *d = h->list.view.data;
    const struct heap_row *item = item_at(&h->list, h->list.shown[i]);
    const struct own_function *f = item->function;
    int at = 0;

    figures_texts(&h->figures, item, cells, &at, f ? LOOK_TEXT : LOOK_DIM);
    cells->text[at] = name_text(item);
    cells->look[at++] = f ? data_name_look(d, f->row.function, false) : LOOK_DIM;
    if (h->has_places && f)
        cells->text[at] = data_place_of(d, &f->row);
}

/*--- The view ---*/

/* Another measure has other lines that cost most. The selection stays with its function. */
static void update(struct view *view)
{
    struct heap_list *h = (void *)view;
    const struct row *row = list_selected_row(view);
    uint32_t function = row ? row->function : CPROF_NONE;

    if (h->table.measure == heap_measure(&view->data->columns, data_self(view->data)->name)) {
        list_update(view);
        return;
    }
    list_renew(&h->list, load(h));
    for (size_t i = 0; i < h->list.n; i++)
        if (h->rows.items[i].function && h->rows.items[i].function->row.function == function)
            list_select(&h->list, i);
}

static char *title(const struct view *view)
{
    const struct heap_list *h = (const void *)view;
    struct heap_sums s = heap_sums_of(h->own.profile, h->own.profile->totals);

    return xasprintf("heap by %s: %s block%s, peak %s bytes, at the end %s", h->table.measure->name,
                     TEXT_COUNT(s.blocks), s.blocks == 1 ? "" : "s", TEXT_COUNT(s.peak_bytes),
                     TEXT_COUNT(s.end_bytes));
}

static bool act(struct view *view, enum action action)
{
    size_t row = list_row(view);

    switch (action) {
    case ACTION_OPEN:
        if (row != SIZE_MAX)
            browser_open_line(view->browser, row, list_place(view));
        else
            browser_say(view->browser, "no function of these; t shows all paths that allocate");
        return true;
    case ACTION_HEAP:
        return true;
    default:
        return list_act(view, action);
    }
}

static void free_view(struct view *view)
{
    struct heap_list *h = (void *)view;

    own_free(&h->own);
    heap_rows_free(&h->rows);
    list_free(&h->list);
    free(h);
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

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .row = list_row,
                                        .place = list_place,
                                        .suits = suits,
                                        .free = free_view};

struct view *view_heap(struct browser *browser, struct data *data)
{
    struct heap_list *h = list_new(sizeof *h, &class, browser, data, line,
                                   "no function that allocates has that name");

    list_begin(&h->list, &list_class, load(h));
    return &h->list.view;
}
