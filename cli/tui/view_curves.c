#include <config.h>

/* Miss curves: functions, or data, above; below the misses of the selected one by the size of LL.
 */
#include "base/memory.h"
#include "render/text/curve_table.h"
#include "render/text/text.h"
#include "table/curves.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LIST, PLOT }; /* the panes */
enum {
    BYTES_WIDTH = 8, /* columns */
    PERCENT_WIDTH = 5,
    COUNT_LEAST = 7,
    BAR_LEAST = 8,
    NOTE_WIDTH = 22,
    WIDE = 70,       /* columns from which on there are notes */
    LINES_LEAST = 10 /* of a screen with a plot */
};

/* Items are the program, and then functions or data. */
struct curve_list {
    struct list list;
    struct curves curves;
    struct curve_view shown; /* the subject of the columns */
    bool by_data, all_sizes;
    const struct curve *plotted;
    size_t *sizes; /* those of the plot, by index */
};

static const struct curve *curve_at(const struct curve_list *v, size_t item)
{
    return !item        ? &v->curves.program
           : v->by_data ? &v->curves.data[item - 1]
                        : &v->curves.functions[item - 1];
}

/*--- Rows ---*/

static size_t load(struct list *l)
{
    struct curve_list *v = (void *)l;

    v->shown = (struct curve_view){.curves = &v->curves, .root = l->view.browsed->root};
    return 1 + (v->by_data ? v->curves.n_data : v->curves.n);
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct curve_list *v = (const void *)l;
    const struct curve *c = curve_at(v, i);
    struct code_spot spot = curve_spot(&v->curves, c);

    return (struct pane_row){.row = c,
                             .function = spot.function,
                             .file = browsed_place_at(l->view.browsed, &spot).file,
                             .line = spot.line,
                             .look = i ? LOOK_TEXT : LOOK_BOLD,
                             .opens_there = c->row}; /* a function's: where most misses are */
}

/* "store::build (blocks)": of data with its kind. */
static struct cell name_cell(const void *shown, const void *row, const struct table_column *column)
{
    const struct curve *c = row;
    const char *kind = c->row ? cprof_data_kind_name(c->row->datum->kind) : NULL;
    char *name = curve_name(((const struct curve_view *)shown)->curves, c), *text;

    (void)column;
    if (!kind)
        return cell_take(name);
    text = *name ? xasprintf("%s (%s)", name, kind) : xstrdup(kind);
    free(name);
    return cell_take(text);
}

static void columns(struct list *l)
{
    struct curve_list *v = (void *)l;
    struct table *t = &l->drawn.table;

    pane_table_begin(&l->drawn, &v->shown);
    table_columns(t, curve_function_columns, CURVE_NUMBERS);
    table_column(t, &(struct table_column){v->by_data ? "By" : "Function", TABLE_NAME,
                                           .cell = name_cell, .id = CURVE_NAME});
    table_column(t, &curve_data_columns[CURVE_AT]);
    list_fit(l);
}

/*--- The plot ---*/

static int count_width(const struct curve_list *v)
{
    char text[TEXT_NUMBER];
    int width = (int)strlen(text_count(text, v->curves.program.all));

    return width > COUNT_LEAST ? width : COUNT_LEAST;
}

static bool has_notes(void)
{
    return COLS >= WIDE;
}

static int plot_bar_width(const struct curve_list *v)
{
    int width = COLS - BYTES_WIDTH - count_width(v) - PERCENT_WIDTH - 3;

    if (has_notes())
        width -= NOTE_WIDTH + 1;
    return width > BAR_LEAST ? width : BAR_LEAST;
}

static void plot_columns(struct curve_list *v)
{
    struct pane *p = &v->list.view.panes[PLOT];
    const struct pane_column all[] = {{.head = "LL", .width = BYTES_WIDTH, .right = true},
                                      {.head = "Misses", .width = count_width(v), .right = true},
                                      {.head = "%", .width = PERCENT_WIDTH, .right = true},
                                      {.head = "", .width = plot_bar_width(v), .picture = true},
                                      {.head = "", .width = NOTE_WIDTH, .cut = TEXT_CUT_END}};

    p->n_columns = has_notes() ? 5 : 4;
    memcpy(p->columns, all, (size_t)p->n_columns * sizeof *all);
}

/* "working set", "simulated: 1,234": the misses of the LL that has sets. The caller frees it. */
static char *note_of(const struct curve_list *v, size_t size)
{
    const struct curve *c = v->plotted;
    bool working_set = size == curve_working_set(&v->curves, c);

    if (size != v->curves.simulated_size)
        return xstrdup(working_set ? "working set" : "");
    return xasprintf("%ssimulated: %s", working_set ? "working set; " : "",
                     TEXT_COUNT(c->simulated));
}

static void plot_line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct curve_list *v = pane->view;
    const struct curves *t = &v->curves;
    const struct curve *c = v->plotted;
    size_t size = v->sizes[i];
    int64_t misses = curve_misses(t, c, size);
    bool is_working_set = size == curve_working_set(t, c);
    enum look look = is_working_set ? LOOK_HOT : size == t->simulated_size ? LOOK_BOLD : LOOK_TEXT;
    char text[TEXT_NUMBER];

    cells->text[0] = curve_size_text(t->profile->curve_sizes[size]);
    cells->text[1] = xstrdup(text_count(text, misses));
    cells->text[2] = xstrdup(text_percent(text, misses, c->all, 1));
    cells->text[3] =
        screen_bar(c->all ? (double)misses / (double)c->all : 0, (unsigned)plot_bar_width(v));
    cells->text[4] = has_notes() ? note_of(v, size) : NULL;
    for (int k = 0; k < 5; k++)
        cells->look[k] = look;
}

/* Draws the curve of `curve`. */
static void plot(struct curve_list *v, const struct curve *curve)
{
    struct pane *p = &v->list.view.panes[PLOT];

    v->plotted = curve;
    p->n = curve_sizes_of(&v->curves, curve, v->all_sizes, v->sizes);
}

/*--- The view ---*/

static void follow(struct view *view)
{
    struct curve_list *v = (void *)view;
    size_t item = list_selected(view);

    if (item != SIZE_MAX && v->plotted != curve_at(v, item))
        plot(v, curve_at(v, item));
}

static void update(struct view *view)
{
    struct curve_list *v = (void *)view;

    view->n_panes = LINES < LINES_LEAST ? 1 : 2;
    view->focus = view->focus < view->n_panes ? view->focus : LIST;
    plot_columns(v);
    list_update(view);
}

/* "working set 12 MiB", or why there is none. The caller frees it. */
static char *needs_text(const struct curves *t, const struct curve *c)
{
    size_t size = curve_working_set(t, c);
    char *bytes, *text;

    if (size == t->n_sizes)
        return xstrdup(c->all ? "all are first uses" : "nothing missed");
    bytes = curve_size_text(t->profile->curve_sizes[size]);
    text = xasprintf("working set %s", bytes);
    free(bytes);
    return text;
}

static char *title(const struct view *view)
{
    const struct curve_list *v = (const void *)view;
    size_t item = list_selected(view);
    const struct curve *c = item == SIZE_MAX ? &v->curves.program : curve_at(v, item);
    char *name =
        item == SIZE_MAX ? xstrdup("none") : browsed_clean(name_cell(&v->shown, c, NULL).text);
    char *needs = needs_text(&v->curves, c);
    char *text = xasprintf("miss curve of %s: %s, %s misses", name, needs, TEXT_COUNT(c->all));

    free(name);
    free(needs);
    return text;
}

/* Turns from functions to data, or back. */
static void change_items(struct curve_list *v)
{
    struct view *view = &v->list.view;

    if (!v->curves.n_data) {
        browser_say(view->browser, "no data in this profile; 'cargo cprof data --miss-curves' has "
                                   "its curves");
        return;
    }
    v->by_data = !v->by_data;
    v->plotted = NULL;
    list_reload(&v->list);
}

static void show_sizes(struct curve_list *v, bool all)
{
    v->all_sizes = all;
    plot(v, v->plotted);
}

static void open(struct list *l, size_t i)
{
    const struct view *v = &l->view;

    if (!i)
        browser_say(v->browser, "the program as a whole; below it are its functions");
    else
        browser_open_line(v->browser, list_row(v), list_place(v));
}

static bool act(struct view *view, enum action action)
{
    struct curve_list *v = (void *)view;

    switch (action) {
    case ACTION_GROUP:
        change_items(v);
        return true;
    case ACTION_EXPAND:
    case ACTION_COLLAPSE:
        show_sizes(v, action == ACTION_EXPAND);
        return true;
    default:
        return list_act(view, action);
    }
}

static void unload(struct list *l)
{
    struct curve_list *v = (void *)l;

    curves_free(&v->curves);
    free(v->sizes);
}

static bool suits(const struct column *measure)
{
    return data_is_event(measure->name);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"},      {ACTION_NEXT_PANE, "other half"},
    {ACTION_EXPAND, "all sizes"}, {ACTION_GROUP, "data"},
    {ACTION_FILTER, "filter"},    {ACTION_ESCAPE, "back"},
    {ACTION_SORT_RIGHT, "sort"},  {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW_BY(hints, update, list_filter),
                                        .id = VIEW_CURVES,
                                        .title = title,
                                        .act = act,
                                        .follow = follow,
                                        .suits = suits};

static const struct list_class list_class = {
    .item = item, .load = load, .columns = columns, .open = open, .unload = unload};

struct view *view_curves(struct browser *browser, struct browsed *browsed)
{
    struct curve_list *v = list_make(sizeof *v, &class, &list_class, browser, browsed,
                                     "no function with misses has that name");
    struct view *view = &v->list.view;

    view->panes[LIST].linked = true;
    view->panes[PLOT] = (struct pane){.line = plot_line, .view = v, .empty = "no misses"};
    curves_load(&v->curves, browsed_callers(browsed));
    v->sizes = xcalloc(v->curves.n_sizes + 1, sizeof *v->sizes);
    plot(v, &v->curves.program);
    list_start(&v->list);
    update(view);
    return view;
}
