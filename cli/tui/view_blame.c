#include <config.h>

/* Own code line by line: what each line cost, and what it called. */
#include "base/memory.h"
#include "names/location.h"
#include "render/text/own_table.h"
#include "render/text/text.h"
#include "source/source_file.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdlib.h>
#include <string.h>

enum column_id { CHARGED, LINE, SOURCE, FUNCTION, MOSTLY };
enum {
    WIDE = 120, /* columns from which on there are names and other code */
    TEXT_LEAST = 16
};

/* Items are lines, own.lines. */
struct blame_list {
    struct list list;
    struct own own;
    const struct column *measure; /* that `own` is loaded for; NULL: it is not */
};

static bool is_line(const struct row *row)
{
    return row->function != CPROF_NONE;
}

static struct own_table table_of(const struct blame_list *b)
{
    return (struct own_table){.own = &b->own, .measure = b->measure};
}

/*--- Columns ---*/

static char *place_text(const struct blame_list *b, const struct row *r)
{
    return is_line(r) ? location_text(r->file, r->line, r->object, b->list.view.browsed->root)
                      : xstrdup(r->name);
}

/* The widest place, within bounds. */
static int place_width(const struct blame_list *b)
{
    int widest = 10, most = COLS / 3;

    for (size_t i = 0; i < b->own.lines.n; i++) {
        char *place = place_text(b, &b->own.lines.items[i]);
        int width = (int)text_width(place);

        widest = width > widest ? width : widest;
        free(place);
    }
    return widest < most ? widest : most;
}

/* The line's text without what it is indented by; NULL: not known. The caller frees it. */
static char *source_text(struct browsed *d, const struct row *r)
{
    const struct source *source = r->file ? source_find(&d->finder, r->file) : NULL;
    char *text = code_line(source, r->line, text_clean), *begin;

    if (!text)
        return NULL;
    begin = xstrdup(text + strspn(text, " "));
    free(text);
    return begin;
}

static char *paid_text(const struct blame_list *b, const struct row *r)
{
    const struct own_table table = table_of(b);
    struct own_function f = {.row = *r};

    f.charges = blame_charges(&b->own.blame, &b->own.lines, r, &f.n_charges);
    return own_table_paid(&table, &f, 2, 24);
}

static struct cell cell_of(const void *list, const void *row, const struct table_column *column)
{
    const struct blame_list *b = list;
    const struct row *r = row;
    struct browsed *d = b->list.view.browsed;

    if (column->id == CHARGED)
        return cell_count(column_value(b->measure, r->counts));
    if (!is_line(r))
        return column->id == LINE ? cell_styled(cell_text(r->name), CELL_DIM) : cell_blank();
    switch ((enum column_id)column->id) {
    case LINE:
        return cell_take(place_text(b, r));
    case SOURCE:
        return cell_take(source_text(d, r));
    case FUNCTION:
        return cell_text(r->name);
    default:
        return cell_styled(cell_take(paid_text(b, r)), CELL_DIM);
    }
}

static void columns(struct list *l)
{
    static const struct table_column all[] = {
        {"Charged", TABLE_COUNT, .cell = cell_of, .id = CHARGED},
        {"Line", TABLE_PLACE, .cell = cell_of, .id = LINE},
        {"Source", TABLE_NOTE, .cell = cell_of, .id = SOURCE},
        {"Function", TABLE_NAME, .cell = cell_of, .id = FUNCTION},
        {"Mostly", TABLE_NOTE, .cell = cell_of, .id = MOSTLY}};
    struct pane_table *t = &l->drawn;

    pane_table_begin(t, l);
    pane_table_add_cost(t, &all[CHARGED], true);
    pane_table_add(t, &all[LINE], place_width((struct blame_list *)l), 0, TEXT_CUT_PLACE);
    pane_table_add(t, &all[SOURCE], TEXT_LEAST, 3, TEXT_CUT_END);
    if (COLS < WIDE)
        return;
    pane_table_add(t, &all[FUNCTION], TEXT_LEAST, 2, TEXT_CUT_NAME);
    pane_table_add(t, &all[MOSTLY], TEXT_LEAST, 2, TEXT_CUT_END);
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct row *r = &((const struct blame_list *)l)->own.lines.items[i];
    struct pane_row row = pane_row_of(r, r);

    row.look = is_line(r) ? LOOK_TEXT : LOOK_DIM;
    row.same = r->file;
    row.same_line = r->line;
    row.opens_there = true;
    return row;
}

/*--- The view ---*/

static void unload(struct list *l)
{
    struct blame_list *b = (void *)l;

    if (b->measure)
        own_free(&b->own);
}

static size_t load(struct list *l)
{
    struct blame_list *b = (void *)l;
    struct browsed *d = l->view.browsed;

    unload(l);
    b->measure = browsed_self(d);
    own_load(&b->own, profile_paths(d->profile), &d->crates, d->crates.own, b->measure, false);
    blame_sort(&b->own.blame, b->measure);
    return b->own.lines.n;
}

static bool is_stale(const struct list *l)
{
    return ((const struct blame_list *)l)->measure != browsed_self(l->view.browsed);
}

static char *title(const struct view *view)
{
    const struct blame_list *b = (const void *)view;

    return xasprintf("lines of your code, with what %s: %s of %s",
                     b->own.paths ? "they called" : "was inlined there",
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(b->list.n));
}

static void open(struct list *l, size_t i)
{
    struct view *v = &l->view;

    if (item(l, i).function == CPROF_NONE)
        browser_say(v->browser, "no line of your own");
    else
        browser_open(v->browser,
                     view_source(v->browser, v->browsed, list_row(v), list_place(v), false));
}

static bool act(struct view *view, enum action action)
{
    if (action != ACTION_OWN_ONLY)
        return list_act(view, action);
    browser_say(view->browser, "all of it is own code; l lists all functions");
    return true;
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"},   {ACTION_CALLERS, "callers"}, {ACTION_CALLS, "calls"},
    {ACTION_FILTER, "filter"}, {ACTION_EVENT, "event"},     {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW(hints), .id = VIEW_OWN_LINES, .title = title,
                                        .act = act};

static const struct list_class list_class = {.item = item,
                                             .load = load,
                                             .is_stale = is_stale,
                                             .columns = columns,
                                             .open = open,
                                             .unload = unload,
                                             .by_name = true};

struct view *view_blame(struct browser *browser, struct browsed *browsed)
{
    return list_start(list_make(sizeof(struct blame_list), &class, &list_class, browser, browsed,
                                "no line has that name"));
}
