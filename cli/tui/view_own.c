#include <config.h>

/* The first view: own code by what it is charged with, as the first screen of a run has it. */
#include "base/memory.h"
#include "calls/graph.h"
#include "render/text/own_table.h"
#include "render/text/text.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_CHARGED, KEY_INCLUSIVE, KEY_SELF, KEY_NAME };
enum {
    NAME_LEAST = 8, /* columns */
    PLACE_LEAST = 15,
    PLACE_MOST = 28,
    PAID_LEAST = 12, /* of other code, which is left out below it */
    NAMED_MOST = 3,
    SHARE_WIDTH = 9, /* " 39.5 %, " behind a name */
    WIDE = 110,      /* columns from which on own and inclusive costs are shown */
    WIDE_BOTH = 140, /* columns from which on each of these costs has a percentage */
};

/* Items are the functions that are shown, and then the rest. */
struct own_list {
    struct list list;
    struct own own;
    const struct column *measure; /* that `own` is loaded for; NULL: it is not */
    bool inclusive;
    bool opened, all; /* `all` functions have rows: the user asked for them, or a filter did */
    size_t n_functions, n_rest;
    struct own_rest rest[OWN_REST_MOST];
};

static struct own_table table_of(const struct own_list *o)
{
    return (struct own_table){
        .own = &o->own, .measure = o->measure, .root = o->list.view.data->root};
}

static const struct own_function *function_of(const struct own_list *o, size_t item)
{
    return item < o->n_functions ? &o->own.items[item] : NULL;
}

static const struct row *row_of(const struct list *l, size_t item)
{
    const struct own_function *f = function_of((const void *)l, item);

    return f ? &f->row : NULL;
}

/*--- Rows ---*/

static void free_rest(struct own_list *o)
{
    for (size_t i = 0; i < o->n_rest; i++)
        free(o->rest[i].name);
    o->n_rest = 0;
}

static void load(struct own_list *o)
{
    struct data *d = o->list.view.data;

    if (o->measure)
        own_free(&o->own);
    o->measure = data_self(d);
    o->inclusive = o->list.sort == KEY_INCLUSIVE;
    own_load(&o->own, profile_paths(d->profile), &d->crates, d->crates.own, o->measure,
             o->inclusive);
}

/* Chooses the functions with rows. Returns the number of items. */
static size_t choose(struct own_list *o)
{
    struct own_table table = table_of(o);

    free_rest(o);
    o->n_functions = o->all ? o->own.n : own_table_shown(&o->own, o->measure);
    o->n_rest = own_table_rest(&table, o->n_functions, o->rest);
    return o->n_functions + o->n_rest;
}

static void show_all(struct own_list *o, bool all)
{
    if (o->all == all)
        return;
    o->all = all;
    list_renew(&o->list, choose(o));
}

/*--- Order ---*/

static const char *name_of(const struct list *l, size_t item)
{
    const struct own_list *o = (const void *)l;
    const struct own_function *f = function_of(o, item);

    return f ? f->row.name : o->rest[item - o->n_functions].name;
}

/* The rest is below all functions. */
static long double value_of(const struct list *l, size_t item)
{
    const struct own_list *o = (const void *)l;
    const struct own_function *f = function_of(o, item);
    const int64_t *counts;

    if (!f)
        return (long double)INT64_MIN - (long double)item;
    counts = l->sort == KEY_CHARGED     ? f->charged
             : l->sort == KEY_INCLUSIVE ? f->inclusive
             : l->sort == KEY_SELF      ? f->self
                                        : NULL;
    return counts ? (long double)column_value(o->measure, counts) : 0;
}

static const char *text_of(const struct list *l, size_t item)
{
    return l->sort == KEY_NAME ? name_of(l, item) : NULL;
}

/*--- Columns ---*/

struct text_widths {
    int name, bare, place; /* `bare`: of a name without type arguments */
    int paid;              /* of the other code that costs most, within bounds */
};

static void widen(int *width, int other)
{
    *width = other > *width ? other : *width;
}

/* Other code that is named whole in so many columns, as much as there is; the costliest alone is
 * shortened where it has no room. The caller frees it; NULL: there is none. */
static char *paid_text(const struct own_list *o, const struct own_function *f, int room)
{
    const struct own_table table = table_of(o);

    for (unsigned named = NAMED_MOST; named; named--) {
        char *text = own_table_paid(&table, f, named, 0);

        if (!text || (int)text_width(text) <= room)
            return text;
        free(text);
    }
    return own_table_paid(&table, f, 1, room > SHARE_WIDTH ? (unsigned)room + 2 - SHARE_WIDTH : 0);
}

/* The width of the costliest other code that a function leads to. */
static int paid_width(const struct own_list *o, const struct own_function *f)
{
    const struct own_table table = table_of(o);
    char *text = own_table_paid(&table, f, 1, 0);
    int width = text ? (int)text_width(text) : 0;

    free(text);
    return width < PAID_LEAST + SHARE_WIDTH ? width : PAID_LEAST + SHARE_WIDTH;
}

/* The widths of the widest texts. */
static struct text_widths measure_texts(const struct own_list *o)
{
    struct text_widths widths = {(int)strlen("Function") + 1, 0, (int)strlen("Costliest line"),
                                 PAID_LEAST};

    for (size_t i = 0; i < o->n_functions; i++) {
        const struct row *row = &o->own.items[i].row;
        char *function = data_label(row), *line = data_place_of(o->list.view.data, row);

        widen(&widths.name, (int)text_width(function));
        widen(&widths.bare, data_bare_width(function));
        widen(&widths.place, (int)text_width(line));
        widen(&widths.paid, paid_width(o, &o->own.items[i]));
        free(function);
        free(line);
    }
    for (size_t i = 0; i < o->n_rest; i++)
        widen(&widths.bare, (int)strlen(o->rest[i].name));
    widen(&widths.name, widths.bare);
    return widths;
}

static bool is_wide(const struct own_list *o)
{
    return COLS >= (data_numbers(o->list.view.data) == NUMBERS_BOTH ? WIDE_BOTH : WIDE);
}

static bool has_inclusive(const struct own_list *o)
{
    return o->list.view.data->has_calls && (is_wide(o) || o->list.sort == KEY_INCLUSIVE);
}

static int column_width(const struct pane *p)
{
    int used = 0;

    for (int i = 0; i < p->n_columns; i++)
        used += p->columns[i].width + 1;
    return used;
}

/* `*width`, or less down to `least`, so that no more than `room` is used of it and `others`. */
static void fit(int *width, int least, int others, int room)
{
    int left = room - others;

    if (*width > left)
        *width = left > least ? left : least;
}

/* Other code has what room is left, if that is enough. Type arguments in names go before it does,
 * and long places are cut; these are cut further before names are. */
static void add_texts(struct own_list *o)
{
    struct list *l = &o->list;
    int room = COLS - column_width(&l->view.panes[0]);
    struct text_widths w = measure_texts(o);
    bool has_room;

    if (!is_wide(o))
        fit(&w.place, PLACE_MOST, 0, PLACE_MOST);
    fit(&w.name, w.bare, w.place + w.paid + 2, room);
    fit(&w.place, w.place < PLACE_MOST ? w.place : PLACE_MOST, w.name + w.paid + 2, room);
    fit(&w.place, PLACE_LEAST, w.name + 1, room);
    fit(&w.name, NAME_LEAST, w.place + 1, room);
    list_add(l, KEY_NAME, true,
             &(struct pane_column){.head = "Function", .width = w.name, .cut = TEXT_CUT_NAME});
    list_add(
        l, LIST_NO_KEY, false,
        &(struct pane_column){.head = "Costliest line", .width = w.place, .cut = TEXT_CUT_PLACE});
    has_room = room - w.name - w.place - 2 >= PAID_LEAST;
    list_add(l, LIST_NO_KEY, false,
             &(struct pane_column){.head = "Mostly",
                                   .width = has_room ? PAID_LEAST : 0,
                                   .share = has_room,
                                   .cut = TEXT_CUT_END});
}

static void columns(struct list *l)
{
    struct own_list *o = (void *)l;
    struct pane *p = &l->view.panes[0];

    list_add_numbers(l, KEY_CHARGED, "Charged");
    l->keys[p->n_columns] = KEY_CHARGED;
    data_bar_head(p);
    if (is_wide(o))
        list_add_numbers(l, KEY_SELF, "Self");
    if (has_inclusive(o))
        list_add_numbers(l, KEY_INCLUSIVE, "Inclusive");
    add_texts(o);
}

static const struct list_class list_class = {
    .name = name_of, .value = value_of, .text = text_of, .columns = columns, .row = row_of};

static void numbers(const struct own_list *o, const struct own_function *f,
                    struct pane_cells *cells, int *at)
{
    const struct data *d = o->list.view.data;

    if (is_wide(o))
        data_cells(d, cells, at, column_value(o->measure, f->self), false);
    if (!has_inclusive(o))
        return;
    if (f->inclusive)
        data_cells(d, cells, at, column_value(o->measure, f->inclusive),
                   f->inclusive_bound == BOUND_LEAST);
    else
        *at += data_numbers(d) == NUMBERS_BOTH ? 2 : 1;
}

static void function_line(const struct own_list *o, const struct own_function *f,
                          struct pane_cells *cells, const struct pane *pane)
{
    const struct data *d = o->list.view.data;
    int at = 0;

    data_cells(d, cells, &at, column_value(o->measure, f->charged), false);
    data_bar_cell(d, cells, &at, column_value(o->measure, f->charged), LOOK_OWN);
    numbers(o, f, cells, &at);
    cells->text[at] = data_label(&f->row);
    cells->look[at++] = data_name_look(d, f->row.function, false);
    cells->text[at] = data_place_of(d, &f->row);
    cells->look[at++] = LOOK_TEXT;
    cells->text[at] = paid_text(o, f, pane->widths[pane->n_columns - 1]);
    cells->look[at] = LOOK_DIM;
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct own_list *o = pane->view;
    const struct data *d = o->list.view.data;
    size_t item = o->list.shown[i];
    const struct own_function *f = function_of(o, item);
    const struct own_rest *rest = &o->rest[item - o->n_functions];
    int at = 0;

    if (f) {
        function_line(o, f, cells, pane);
        return;
    }
    data_cells(d, cells, &at, rest->value, false);
    data_bar_cell(d, cells, &at, rest->value, LOOK_DIM);
    at = pane->n_columns - 3;
    cells->text[at] = xstrdup(rest->name);
    cells->look[at] = LOOK_DIM;
}

/*--- The view ---*/

/* Makes the rows anew. The selection stays with its function; of another event the first row stays
 * selected, which nobody has chosen. */
static void reload(struct own_list *o)
{
    struct pane *p = &o->list.view.panes[0];
    const struct row *row = list_selected_row(&o->list.view);
    bool follows = p->selected || o->measure == data_self(o->list.view.data);
    uint32_t function = row && follows ? row->function : CPROF_NONE;

    load(o);
    list_renew(&o->list, choose(o));
    pane_select(p, 0);
    for (size_t i = 0; i < p->n && function != CPROF_NONE; i++) {
        row = row_of(&o->list, o->list.shown[i]);
        if (row && row->function == function)
            p->selected = i;
    }
}

static void update(struct view *view)
{
    struct own_list *o = (void *)view;

    if (o->measure == data_self(view->data) && o->inclusive == (o->list.sort == KEY_INCLUSIVE))
        list_update(view);
    else
        reload(o);
}

static void filter_own(struct view *view, const char *text)
{
    struct own_list *o = (void *)view;

    show_all(o, o->opened || (text && *text));
    list_filter(view, text);
}

static void head(struct view *view, int column)
{
    list_head(view, column);
    update(view);
}

static char *title(const struct view *view)
{
    const struct own_list *o = (const void *)view;
    char percent[TEXT_NUMBER];

    text_percent(percent, column_value(o->measure, o->own.charged), data_total(view->data), 1);
    return xasprintf("your code, with what %s: %s %% of all",
                     o->own.paths ? "it called" : "was inlined into it", percent);
}

/* Opens the source of a function, or the functions that have no row yet. */
static void open_selected(struct own_list *o)
{
    struct view *view = &o->list.view;
    size_t row = list_row(view), item = list_selected(view);
    size_t at = view->panes[0].selected;

    if (row != SIZE_MAX) {
        browser_open(view->browser,
                     view_source(view->browser, view->data, row, list_place(view), false));
    } else if (item == o->n_functions && o->n_functions < o->own.n) {
        o->opened = true;
        show_all(o, true);
        pane_select(&view->panes[0], at);
    } else if (item != SIZE_MAX) {
        browser_say(view->browser, "no function of your own; l lists all functions, t all paths");
    }
}

static bool act(struct view *view, enum action action)
{
    struct list *l = (void *)view;

    switch (action) {
    case ACTION_INCLUSIVE:
        if (!view->data->has_calls)
            return false;
        l->sort = l->sort == KEY_INCLUSIVE ? KEY_CHARGED : KEY_INCLUSIVE;
        l->reversed = false;
        update(view);
        return true;
    case ACTION_OPEN:
        open_selected((void *)view);
        return true;
    case ACTION_OWN_ONLY:
        browser_say(view->browser, "all of it is own code; l lists all functions");
        return true;
    case ACTION_OWN:
        return true;
    default:
        if (!list_act(view, action))
            return false;
        update(view);
        return true;
    }
}

static void free_view(struct view *view)
{
    struct own_list *o = (void *)view;

    free_rest(o);
    own_free(&o->own);
    list_free(&o->list);
    free(o);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"},   {ACTION_CALLS, "calls"},       {ACTION_TREE, "tree"},
    {ACTION_BLAME, "blame"},   {ACTION_SECTIONS, "sections"}, {ACTION_HEAP, "heap"},
    {ACTION_DATA, "data"},     {ACTION_CURVES, "curves"},     {ACTION_FUNCTIONS, "all"},
    {ACTION_FILTER, "filter"}, {ACTION_EVENT, "event"},       {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .head = head,
                                        .filter = filter_own,
                                        .row = list_row,
                                        .place = list_place,
                                        .free = free_view};

struct view *view_own(struct browser *browser, struct data *data)
{
    struct own_list *o =
        list_new(sizeof *o, &class, browser, data, line, "no function has that name");

    load(o);
    list_begin(&o->list, &list_class, choose(o));
    return &o->list.view;
}
