#include <config.h>

/* The first view: own code by what it is charged with, as the first screen of a run has it. */
#include "base/memory.h"
#include "calls/graph.h"
#include "names/location.h"
#include "render/text/own_table.h"
#include "render/text/text.h"
#include "table/search.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum column_id { CHARGED, SELF, INCLUSIVE, NAME, PLACE, MOSTLY };
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

/* A function, or some of all else. */
struct own_item {
    const struct own_function *function; /* NULL: it is none */
    const struct own_rest *rest;
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
    struct own_item *items;
};

static struct own_table table_of(const struct own_list *o)
{
    return (struct own_table){
        .own = &o->own, .measure = o->measure, .root = o->list.view.browsed->root};
}

/*--- Rows ---*/

static void free_rest(struct own_list *o)
{
    for (size_t i = 0; i < o->n_rest; i++)
        free(o->rest[i].name);
    o->n_rest = 0;
}

static bool is_stale(const struct list *l)
{
    const struct own_list *o = (const void *)l;

    return o->measure != browsed_self(l->view.browsed) || o->inclusive != (l->sort == INCLUSIVE);
}

static void load_own(struct own_list *o)
{
    struct browsed *d = o->list.view.browsed;

    if (o->measure)
        own_free(&o->own);
    o->measure = browsed_self(d);
    o->inclusive = o->list.sort == INCLUSIVE;
    own_load(&o->own, profile_paths(d->profile), &d->crates, d->crates.own, o->measure,
             o->inclusive);
}

/* Chooses the functions with rows. */
static size_t load(struct list *l)
{
    struct own_list *o = (void *)l;
    struct own_table table;

    if (is_stale(l))
        load_own(o);
    table = table_of(o);
    free_rest(o);
    o->n_functions = o->all ? o->own.n : own_table_shown(&o->own, o->measure);
    o->n_rest = own_table_rest(&table, o->n_functions, o->rest);
    o->items = xreallocarray(o->items, o->n_functions + o->n_rest, sizeof *o->items);
    for (size_t i = 0; i < o->n_functions; i++)
        o->items[i] = (struct own_item){.function = &o->own.items[i]};
    for (size_t i = 0; i < o->n_rest; i++)
        o->items[o->n_functions + i] = (struct own_item){.rest = &o->rest[i]};
    return o->n_functions + o->n_rest;
}

static void show_all(struct own_list *o, bool all)
{
    if (o->all == all)
        return;
    o->all = all;
    list_reload(&o->list);
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct own_item *it = &((const struct own_list *)l)->items[i];
    struct pane_row row;

    if (!it->function)
        return (struct pane_row){.row = it,
                                 .name = it->rest->name,
                                 .function = CPROF_NONE,
                                 .look = LOOK_DIM,
                                 .is_rest = true};
    row = pane_row_of(&it->function->row, it);
    row.opens_there = true;
    return row;
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
        char *function = browsed_label(row), *line = browsed_place_of(o->list.view.browsed, row);

        widen(&widths.name, (int)text_width(function));
        widen(&widths.bare, browsed_bare_width(function));
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
    return COLS >= (browsed_numbers(o->list.view.browsed) == NUMBERS_BOTH ? WIDE_BOTH : WIDE);
}

static bool has_inclusive(const struct own_list *o)
{
    return o->list.view.browsed->has_calls && (is_wide(o) || o->list.sort == INCLUSIVE);
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

/* Other code is named as the width of its column allows. */
static struct cell cell_of(const void *list, const void *row, const struct table_column *column)
{
    const struct own_list *o = list;
    const struct own_item *it = row;
    const struct own_function *f = it->function;
    const struct pane *p = &o->list.view.panes[0];
    struct cell cell;

    if (!f)
        return column->id == CHARGED ? cell_count(it->rest->value) : cell_blank();
    switch ((enum column_id)column->id) {
    case CHARGED:
        return cell_count(column_value(o->measure, f->charged));
    case SELF:
        return cell_count(column_value(o->measure, f->self));
    case INCLUSIVE:
        if (!f->inclusive)
            return cell_blank();
        cell = cell_count(column_value(o->measure, f->inclusive));
        cell.about = f->inclusive_bound == BOUND_LEAST;
        return cell;
    case NAME:
        return cell_take(row_label(&f->row, false, NULL));
    case PLACE:
        return cell_take(
            location_text(f->row.file, f->row.line, f->row.object, o->list.view.browsed->root));
    default:
        return cell_styled(cell_take(paid_text(o, f, p->widths[p->n_columns - 1])), CELL_DIM);
    }
}

static const struct table_column own_columns[] = {
    {"Charged", TABLE_COUNT, .cell = cell_of, .id = CHARGED},
    {"Self", TABLE_COUNT, .cell = cell_of, .id = SELF},
    {"Inclusive", TABLE_COUNT, .cell = cell_of, .id = INCLUSIVE},
    {"Function", TABLE_NAME, .cell = cell_of, .id = NAME, .names_sums = true},
    {"Costliest line", TABLE_PLACE, .cell = cell_of, .id = PLACE},
    {"Mostly", TABLE_NOTE, .cell = cell_of, .id = MOSTLY}};

/* Other code has what room is left, if that is enough. Type arguments in names go before it does,
 * and long places are cut; these are cut further before names are. */
static void add_texts(struct own_list *o)
{
    struct pane_table *t = &o->list.drawn;
    int room = COLS - column_width(t->pane);
    struct text_widths w = measure_texts(o);
    bool has_room;

    if (!is_wide(o))
        fit(&w.place, PLACE_MOST, 0, PLACE_MOST);
    fit(&w.name, w.bare, w.place + w.paid + 2, room);
    fit(&w.place, w.place < PLACE_MOST ? w.place : PLACE_MOST, w.name + w.paid + 2, room);
    fit(&w.place, PLACE_LEAST, w.name + 1, room);
    fit(&w.name, NAME_LEAST, w.place + 1, room);
    pane_table_add(t, &own_columns[NAME], w.name, 0, TEXT_CUT_NAME);
    pane_table_add(t, &own_columns[PLACE], w.place, 0, TEXT_CUT_PLACE);
    has_room = room - w.name - w.place - 2 >= PAID_LEAST;
    pane_table_add(t, &own_columns[MOSTLY], has_room ? PAID_LEAST : 0, has_room, TEXT_CUT_END);
}

static void columns(struct list *l)
{
    struct own_list *o = (void *)l;

    pane_table_begin(&l->drawn, l);
    pane_table_add_cost(&l->drawn, &own_columns[CHARGED], true);
    if (is_wide(o))
        pane_table_add_cost(&l->drawn, &own_columns[SELF], false);
    if (has_inclusive(o))
        pane_table_add_cost(&l->drawn, &own_columns[INCLUSIVE], false);
    add_texts(o);
}

/*--- The view ---*/

static void filter_own(struct view *view, const char *text)
{
    struct own_list *o = (void *)view;

    show_all(o, o->opened || (text && *text));
    list_filter(view, text);
}

static char *title(const struct view *view)
{
    const struct own_list *o = (const void *)view;
    char percent[TEXT_NUMBER];

    text_percent(percent, column_value(o->measure, o->own.charged), browsed_total(view->browsed),
                 1);
    return xasprintf("your code, with what %s: %s %% of all",
                     o->own.paths ? "it called" : "was inlined into it", percent);
}

/* Opens the source of a function, or the functions that have no row yet. */
static void open(struct list *l, size_t i)
{
    struct own_list *o = (void *)l;
    struct view *v = &l->view;
    size_t at = v->panes[0].selected;

    if (list_row(v) != SIZE_MAX) {
        browser_open(v->browser,
                     view_source(v->browser, v->browsed, list_row(v), list_place(v), false));
    } else if (i == o->n_functions && o->n_functions < o->own.n) {
        o->opened = true;
        show_all(o, true);
        pane_select(&v->panes[0], at);
    } else {
        browser_say(v->browser, "no function of your own; l lists all functions, t all paths");
    }
}

static bool act(struct view *view, enum action action)
{
    if (action != ACTION_OWN_ONLY)
        return list_act(view, action);
    browser_say(view->browser, "all of it is own code; l lists all functions");
    return true;
}

static void unload(struct list *l)
{
    struct own_list *o = (void *)l;

    free_rest(o);
    own_free(&o->own);
    free(o->items);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"},   {ACTION_CALLS, "calls"},       {ACTION_TREE, "tree"},
    {ACTION_BLAME, "blame"},   {ACTION_SECTIONS, "sections"}, {ACTION_HEAP, "heap"},
    {ACTION_DATA, "data"},     {ACTION_CURVES, "curves"},     {ACTION_FUNCTIONS, "all"},
    {ACTION_FILTER, "filter"}, {ACTION_EVENT, "event"},       {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW_BY(hints, list_update, filter_own),
                                        .id = VIEW_OWN, .title = title, .act = act};

static const struct list_class list_class = {.item = item,
                                             .load = load,
                                             .is_stale = is_stale,
                                             .columns = columns,
                                             .open = open,
                                             .unload = unload,
                                             .first_stays = true,
                                             .self = CHARGED,
                                             .inclusive = INCLUSIVE};

struct view *view_own(struct browser *browser, struct browsed *browsed)
{
    return list_start(list_make(sizeof(struct own_list), &class, &list_class, browser, browsed,
                                "no function has that name"));
}
