#include <config.h>

/* Which data misses: rows that unfold to the lines of code that miss in them, as the table of data
 * has them. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/data_table.h"
#include "render/text/text.h"
#include "table/data_rows.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>

/* Lists items: rows of the table, and behind them its touches. */
struct data_list {
    struct list list;
    struct data_table table;
    struct data_view shown;  /* the subject of the columns */
    struct data_item *items; /* NULL: not loaded yet */
    bool *open;              /* by datum of the profile, of the row that it stands for */
};

/* A row's data is alike in all profiles of one run: it stays the same when the rows are loaded
 * anew. */
static bool *open_of(const struct data_list *v, size_t i)
{
    return &v->open[v->items[i].row->datum - v->table.profile->data];
}

/*--- Items ---*/

static void free_rows(struct data_list *v)
{
    if (v->items)
        data_table_free(&v->table);
    free(v->items);
}

static size_t load(struct list *l)
{
    struct data_list *v = (void *)l;
    struct browsed *d = l->view.browsed;
    struct data_table *t = &v->table;

    free_rows(v);
    data_table_load(t, browsed_callers(d), data_measure_of(browsed_self(d)->name));
    v->items = xcalloc(t->n + d->profile->n_touches + 1, sizeof *v->items);
    for (size_t i = 0; i < t->n; i++) {
        struct data_item *touches = &v->items[t->n + (size_t)(t->rows[i].touches - t->touches)];

        v->items[i] = data_item_of(&t->rows[i], NULL);
        for (size_t k = 0; k < t->rows[i].n; k++)
            touches[k] = data_item_of(&t->rows[i], &t->rows[i].touches[k]);
    }
    v->shown = (struct data_view){.table = t, .root = d->root};
    return t->n;
}

/* By another measure, rows and what is below them have another order. */
static bool is_stale(const struct list *l)
{
    return ((const struct data_list *)l)->table.measure !=
           data_measure_of(browsed_self(l->view.browsed)->name);
}

static const char *sign_of(const struct data_list *v, size_t i)
{
    static const char *const signs[2][2] = {{"+ ", "- "}, {"▸ ", "▾ "}};

    return v->table.rows[i].n ? signs[text_is_utf8()][*open_of(v, i)] : "  ";
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct data_list *v = (const void *)l;
    const struct data_item *it = &v->items[i];
    const struct code_spot *spot = it->touch ? &it->touch->spot : &it->row->spot;
    const char *file = browsed_place_at(l->view.browsed, spot).file;

    return (struct pane_row){.row = it,
                             .function = spot->function,
                             .file = file ? file : it->row->datum->path,
                             .line = spot->line,
                             .look = it->touch ? LOOK_TEXT : LOOK_BOLD,
                             .sign = it->touch ? NULL : sign_of(v, i),
                             .opens_there = file,
                             .same = it->row->datum};
}

enum { IS_SPOT = 1, IS_WITHIN = 2 };

/* Measures rows, and lines of code for each function that is named there once. */
static void measure(struct list *l)
{
    const struct data_list *v = (const void *)l;
    unsigned char *measured = xcalloc(v->table.profile->n_functions + (size_t)1, 1);

    for (size_t i = 0; i < v->table.n + v->table.profile->n_touches; i++) {
        const struct data_touch *t = v->items[i].touch;
        struct pane_row row;

        if (!v->items[i].row ||
            (t && measured[t->spot.function] & IS_SPOT && measured[t->within] & IS_WITHIN))
            continue;
        row = item(l, i);
        pane_table_widen(&l->drawn, &row);
        if (t) {
            measured[t->spot.function] |= IS_SPOT;
            measured[t->within] |= IS_WITHIN;
        }
    }
    free(measured);
}

/* The names of the data, of its type, and of all functions that miss in it. */
static char *words(const struct list *l, size_t i)
{
    const struct cprof_profile *p = l->view.browsed->profile;
    const struct data_row *row = &((const struct data_list *)l)->table.rows[i];
    char *name = data_row_name(p, row);
    struct strbuf all = {.text = NULL};

    strbuf_addf(&all, "%s\n%s", name, row->type == CPROF_NONE ? "" : p->types[row->type].name);
    for (size_t k = 0; k < row->n; k++)
        strbuf_addf(&all, "\n%s\n%s", p->functions[row->touches[k].spot.function].name,
                    p->functions[row->touches[k].within].name);
    free(name);
    return strbuf_take(&all);
}

static size_t below(const struct list *l, size_t item, size_t *first)
{
    const struct data_list *v = (const void *)l;
    const struct data_row *row = &v->table.rows[item];

    if (!*open_of(v, item) || !row->n)
        return 0;
    *first = v->table.n + (size_t)(row->touches - v->table.touches);
    return row->n;
}

static void columns(struct list *l)
{
    struct data_list *v = (void *)l;

    pane_table_begin(&l->drawn, &v->shown);
    data_view_add_columns(&v->shown, &l->drawn.table);
    list_fit(l);
}

/*--- The view ---*/

static char *title(const struct view *view)
{
    const struct data_list *v = (const void *)view;

    return xasprintf("data by misses of %s: %s of %s; D1 %s, LL %s",
                     v->table.measure == DATA_D1 ? "D1" : "LL", TEXT_COUNT(list_n_found(&v->list)),
                     TEXT_COUNT(v->table.n), TEXT_COUNT(data_row_misses(v->table.misses, DATA_D1)),
                     TEXT_COUNT(data_row_misses(v->table.misses, DATA_LL)));
}

static void set_open(struct data_list *v, size_t i, bool open)
{
    if (v->items[i].touch) { /* its row */
        list_select(&v->list, (size_t)(v->items[i].row - v->table.rows));
        return;
    }
    *open_of(v, i) = open;
    list_show(&v->list);
}

/* Opens or closes a row, or goes on to the line that misses. */
static void open(struct list *l, size_t i)
{
    struct data_list *v = (void *)l;

    if (v->items[i].touch)
        browser_open_line(l->view.browser, list_row(&l->view), list_place(&l->view));
    else
        set_open(v, i, !*open_of(v, i));
}

static bool act(struct view *view, enum action action)
{
    struct data_list *v = (void *)view;
    size_t i = list_selected(view);

    if (action != ACTION_EXPAND && action != ACTION_COLLAPSE)
        return list_act(view, action);
    if (i != SIZE_MAX && (!v->items[i].touch || action == ACTION_COLLAPSE))
        set_open(v, i, action == ACTION_EXPAND);
    return true;
}

static void unload(struct list *l)
{
    struct data_list *v = (void *)l;

    free_rows(v);
    free(v->open);
}

static bool suits(const struct column *measure)
{
    return data_is_event(measure->name);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "open, source"}, {ACTION_CALLERS, "callers"}, {ACTION_OWN, "code"},
    {ACTION_HEAP, "heap"},         {ACTION_CURVES, "curves"},   {ACTION_FILTER, "filter"},
    {ACTION_EVENT, "D1, LL"},      {ACTION_ESCAPE, "back"},     {ACTION_SORT_RIGHT, "sort"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW(hints), .id = VIEW_DATA, .title = title,
                                        .act = act, .suits = suits};

static const struct list_class list_class = {.item = item,
                                             .load = load,
                                             .is_stale = is_stale,
                                             .columns = columns,
                                             .open = open,
                                             .unload = unload,
                                             .measure = measure,
                                             .words = words,
                                             .below = below};

struct view *view_data(struct browser *browser, struct browsed *browsed)
{
    struct data_list *v =
        list_make(sizeof *v, &class, &list_class, browser, browsed, "no data has that name");

    v->open = xcalloc(browsed->profile->n_data + (size_t)1, sizeof *v->open);
    list_start(&v->list);
    if (v->table.n)
        set_open(v, 0, true);
    return &v->list.view;
}
