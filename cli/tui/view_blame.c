#include <config.h>

/* Own code line by line: what each line cost, and what it called. */
#include "base/memory.h"
#include "render/text/own_table.h"
#include "render/text/text.h"
#include "source/source_file.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_CHARGED, KEY_NAME, KEY_PLACE };
enum { WIDE = 120 /* columns from which on there are names and other code */ };

/* Items are lines, own.lines. */
struct blame_list {
    struct list list;
    struct own own;
    const struct column *measure; /* that `own` is loaded for */
};

static const struct row *row_of(const struct list *l, size_t item)
{
    return &((const struct blame_list *)l)->own.lines.items[item];
}

static bool is_line(const struct row *row)
{
    return row->function != CPROF_NONE;
}

static struct own_table table_of(const struct blame_list *b)
{
    return (struct own_table){.own = &b->own, .measure = b->measure};
}

/*--- Order ---*/

static const char *name_of(const struct list *l, size_t item)
{
    return row_of(l, item)->name;
}

static long double value_of(const struct list *l, size_t item)
{
    const struct blame_list *b = (const void *)l;

    return l->sort == KEY_CHARGED ? column_value(b->measure, row_of(l, item)->counts) : 0;
}

static const char *text_of(const struct list *l, size_t item)
{
    const struct row *r = row_of(l, item);

    return l->sort == KEY_PLACE ? (r->file ? r->file : "") : r->name;
}

static int compare(const struct list *l, size_t a, size_t b)
{
    const struct row *r = row_of(l, a), *s = row_of(l, b);

    return (r->line > s->line) - (r->line < s->line);
}

/*--- Columns ---*/

static char *place_text(const struct blame_list *b, const struct row *r)
{
    return is_line(r) ? data_place_of(b->list.view.data, r) : xstrdup(r->name);
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

static void columns(struct list *l)
{
    struct blame_list *b = (void *)l;
    struct pane *p = &l->view.panes[0];

    list_add_numbers(l, KEY_CHARGED, "Charged");
    l->keys[p->n_columns] = KEY_CHARGED;
    data_bar_head(p);
    list_add(l, KEY_PLACE, true,
             &(struct pane_column){.head = "Line", .width = place_width(b), .cut = TEXT_CUT_PLACE});
    list_add(l, LIST_NO_KEY, false,
             &(struct pane_column){.head = "Source", .width = 16, .share = 3, .cut = TEXT_CUT_END});
    if (COLS < WIDE)
        return;
    list_add(
        l, KEY_NAME, true,
        &(struct pane_column){.head = "Function", .width = 16, .share = 2, .cut = TEXT_CUT_NAME});
    list_add(l, LIST_NO_KEY, false,
             &(struct pane_column){.head = "Mostly", .width = 16, .share = 2, .cut = TEXT_CUT_END});
}

static const struct row *line_row(const struct list *l, size_t item)
{
    const struct row *row = row_of(l, item);

    return is_line(row) ? row : NULL;
}

static const struct list_class list_class = {.name = name_of,
                                             .value = value_of,
                                             .text = text_of,
                                             .compare = compare,
                                             .columns = columns,
                                             .row = line_row};

/* The line's text without what it is indented by; NULL: not known. The caller frees it. */
static char *source_text(struct data *d, const struct row *r)
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

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct blame_list *b = pane->view;
    struct data *d = b->list.view.data;
    const struct row *r = row_of(&b->list, b->list.shown[i]);
    int64_t value = column_value(b->measure, r->counts);
    int at = 0;

    data_cells(d, cells, &at, value, false);
    data_bar_cell(d, cells, &at, value, is_line(r) ? LOOK_OWN : LOOK_DIM);
    cells->text[at] = place_text(b, r);
    cells->look[at++] = is_line(r) ? LOOK_TEXT : LOOK_DIM;
    if (!is_line(r))
        return;
    cells->text[at++] = source_text(d, r);
    if (at == pane->n_columns)
        return;
    cells->text[at] = text_clean(r->name);
    cells->look[at++] = data_name_look(d, r->function, false);
    cells->text[at] = paid_text(b, r);
    cells->look[at] = LOOK_DIM;
}

/*--- The view ---*/

static void load(struct blame_list *b)
{
    struct data *d = b->list.view.data;

    if (b->measure)
        own_free(&b->own);
    b->measure = data_self(d);
    own_load(&b->own, profile_paths(d->profile), &d->crates, d->crates.own, b->measure, false);
    blame_sort(&b->own.blame, b->measure);
}

static void update(struct view *view)
{
    struct blame_list *b = (void *)view;
    struct pane *p = &view->panes[0];
    struct place place = list_place(view);

    if (b->measure == data_self(view->data)) {
        list_update(view);
        return;
    }
    load(b);
    list_renew(&b->list, b->own.lines.n);
    for (size_t i = 0; i < p->n && place.file; i++) {
        const struct row *row = row_of(&b->list, b->list.shown[i]);

        if (row->file && row->line == place.line && !strcmp(row->file, place.file))
            p->selected = i;
    }
}

static char *title(const struct view *view)
{
    const struct blame_list *b = (const void *)view;

    return xasprintf("lines of your code, with what %s: %s of %s",
                     b->own.paths ? "they called" : "was inlined there",
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(b->list.n));
}

static bool act(struct view *view, enum action action)
{
    size_t row = list_row(view);

    switch (action) {
    case ACTION_OPEN:
        if (row != SIZE_MAX)
            browser_open(view->browser,
                         view_source(view->browser, view->data, row, list_place(view), false));
        else
            browser_say(view->browser, "no line of your own");
        return true;
    case ACTION_OWN_ONLY:
        browser_say(view->browser, "all of it is own code; l lists all functions");
        return true;
    case ACTION_BLAME:
        return true;
    default:
        return list_act(view, action);
    }
}

static void free_view(struct view *view)
{
    struct blame_list *b = (void *)view;

    own_free(&b->own);
    list_free(&b->list);
    free(b);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "source"},   {ACTION_CALLERS, "callers"}, {ACTION_CALLS, "calls"},
    {ACTION_FILTER, "filter"}, {ACTION_EVENT, "event"},     {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .row = list_row,
                                        .place = list_place,
                                        .free = free_view};

struct view *view_blame(struct browser *browser, struct data *data)
{
    struct blame_list *b =
        list_new(sizeof *b, &class, browser, data, line, "no line has that name");

    load(b);
    list_begin(&b->list, &list_class, b->own.lines.n);
    return &b->list.view;
}
