#include <config.h>

#include "tui/list.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "render/text/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*--- Order ---*/

/* Items are sorted by value, then by text (if they have one), then by the class's comparison, then
 * by number. */

static const struct table_column *sort_column(const struct list *l)
{
    int i = pane_table_find(&l->drawn, l->sort);

    return i < 0 ? NULL : &l->drawn.table.columns[i];
}

static bool is_by_place(const struct list *l)
{
    const struct table_column *c = sort_column(l);

    return c && c->kind == TABLE_PLACE;
}

/* True of the column that has the names of items. */
static bool is_name(const struct list *l, const struct table_column *column)
{
    return l->drawn.names >= 0 && column == &l->drawn.table.columns[l->drawn.names];
}

/* The text of an item in a column; the caller frees it. */
static char *text_in(const struct list *l, size_t item, const struct table_column *column)
{
    struct pane_row row = l->class->item(l, item);
    struct cell cell;

    if (is_name(l, column) && row.name)
        return xstrdup(row.name);
    cell = pane_table_cell(l->drawn.table.subject, &row, column);
    return cell.text ? cell.text : xstrdup("");
}

static const char *item_text(const struct list *l, size_t item)
{
    const struct table_column *c = sort_column(l);
    struct pane_row row = l->class->item(l, item);

    if (l->texts)
        return l->texts[item];
    if (c && c->kind == TABLE_PLACE)
        return row.file;
    return l->class->by_name || (c && is_name(l, c)) ? row.name : NULL;
}

/* An item without its key; "" where it has no text. */
static struct sorted item_of(const struct list *l, size_t item)
{
    const char *text = item_text(l, item);

    return (struct sorted){0, text ? text : "", item};
}

static long double value_of(const struct list *l, size_t item)
{
    const struct table_column *c;
    struct pane_row row;
    struct cell cell;
    long double order;

    if (l->class->value)
        return l->class->value(l, item);
    row = l->class->item(l, item);
    c = sort_column(l);
    if (row.is_rest)
        return 2 * (long double)INT64_MIN - (long double)item;
    if (!c || table_kind_is_text(c->kind))
        return 0;
    cell = c->cell(l->drawn.table.subject, row.row, c);
    order = cell_order(&cell);
    cell_free(&cell);
    return order;
}

static int compare_lines(const struct list *l, size_t a, size_t b)
{
    uint32_t x, y;

    if (!is_by_place(l) && !l->class->by_name)
        return 0;
    x = l->class->item(l, a).line;
    y = l->class->item(l, b).line;
    return (x > y) - (x < y);
}

/* The order of items of one value and text. */
static int compare_rest(const void *a, const void *b, void *context)
{
    const struct list *l = context;
    const struct sorted *x = a, *y = b;
    int order = compare_lines(l, x->index, y->index);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare(const void *a, const void *b, void *context)
{
    struct list *l = context;
    const struct sorted *x = a, *y = b;
    long double x_value = value_of(l, x->index), y_value = value_of(l, y->index);
    int order = x_value != y_value ? (x_value > y_value ? -1 : 1) : strcmp(x->text, y->text);

    return order ? order : compare_rest(x, y, l);
}

static bool is_sorted(struct list *l)
{
    for (size_t i = 1; i < l->n; i++) {
        struct sorted x = item_of(l, l->order[i - 1]), y = item_of(l, l->order[i]);

        if (compare(&x, &y, l) > 0)
            return false;
    }
    return true;
}

/* The key of a value; the greatest value has the least. Values that a double cannot hold may share
 * one. */
static uint64_t key_of(long double value)
{
    double rounded = (double)value + 0.0; /* which makes -0 to 0 */
    int64_t bits;

    memcpy(&bits, &rounded, sizeof bits);
    return sort_key_falling(bits < 0 ? INT64_MIN - bits : bits);
}

/* Sorts `n` items of one key. */
static void sort_equal(struct list *l, struct sorted *items, size_t n)
{
    long double value = value_of(l, items[0].index);

    for (size_t i = 1; i < n; i++)
        if (value_of(l, items[i].index) != value) {
            qsort_r(items, n, sizeof *items, compare, l);
            return;
        }
    sort_texts(items, n, is_by_place(l) || l->class->by_name ? compare_rest : NULL, l);
}

/* Sorts all items, even hidden ones, so that most keys find them sorted. */
static void sort(struct list *l)
{
    struct sorted *items;
    size_t begin = 0;

    if (is_sorted(l))
        return;
    items = xreallocarray(NULL, l->n, sizeof *items);
    for (size_t i = 0; i < l->n; i++) {
        items[i] = item_of(l, i);
        items[i].key = key_of(value_of(l, i));
    }
    sort_keys(items, l->n);
    for (size_t i = 1; i <= l->n; i++) {
        if (i < l->n && items[i].key == items[begin].key)
            continue;
        if (i - begin > 1)
            sort_equal(l, items + begin, i - begin);
        begin = i;
    }
    for (size_t i = 0; i < l->n; i++)
        l->order[i] = items[i].index;
    free(items);
}

/* Makes the texts that items are sorted by, where these are neither their names nor places. */
static void make_texts(struct list *l)
{
    const struct table_column *c = sort_column(l);

    if (!l->n || !c || !table_kind_is_text(c->kind) || c->kind == TABLE_PLACE ||
        (is_name(l, c) && l->class->item(l, 0).name))
        return;
    l->texts = xcalloc(l->n, sizeof *l->texts);
    for (size_t i = 0; i < l->n; i++)
        l->texts[i] = text_in(l, i, c);
}

static void sort_list(struct list *l)
{
    make_texts(l);
    sort(l);
    for (size_t i = 0; l->texts && i < l->n; i++)
        free(l->texts[i]);
    free(l->texts);
    l->texts = NULL;
}

static void show_item(struct list *l, size_t item)
{
    struct pane *p = &l->view.panes[0];

    APPEND(l->shown, p->n, l->room) = item;
}

static bool is_own(const struct list *l, size_t item)
{
    struct pane_row row = l->class->item(l, item);

    return row.is_own || (row.function != CPROF_NONE && l->view.browsed->crates.own[row.function]);
}

/* Shows the items that the filter finds, in order. */
static void show(struct list *l)
{
    bool own_only = l->view.browsed->own_only && l->class->is_all_code;

    l->view.panes[0].n = 0;
    for (size_t i = 0; i < l->n; i++) {
        size_t item = l->order[l->reversed ? l->n - 1 - i : i], first = 0, n;

        if (!l->found[item] || (own_only && !is_own(l, item)))
            continue;
        show_item(l, item);
        n = l->class->below ? l->class->below(l, item, &first) : 0;
        for (size_t k = 0; k < n; k++)
            show_item(l, first + k);
    }
}

/* Sorts by the next column on that side that has another key. */
static void shift_sort(struct list *l, int by)
{
    const struct pane *p = &l->view.panes[0];
    int at = 0;

    while (at < p->n_columns && l->keys[at] != l->sort)
        at++;
    while (at >= 0 && at < p->n_columns && l->keys[at] == l->sort)
        at += by;
    if (at < 0 || at >= p->n_columns || l->keys[at] == LIST_NO_KEY)
        return;
    l->sort = l->keys[at];
    l->reversed = false;
}

/*--- Columns ---*/

/* Measures all items, once for all windows. */
static void measure(struct list *l)
{
    pane_table_narrow(&l->drawn);
    for (size_t i = 0; i < l->n && !l->class->measure; i++) {
        struct pane_row row = l->class->item(l, i);

        pane_table_widen(&l->drawn, &row);
    }
    if (l->class->measure)
        l->class->measure(l);
    l->is_measured = true;
}

void list_fit(struct list *l)
{
    if (!l->is_measured)
        measure(l);
    pane_table_fit(&l->drawn);
}

static void draw_item(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct list *l = pane->view;
    struct pane_row row = l->class->item(l, l->shown[i]);

    pane_table_line(&l->drawn, &row, cells);
}

/* A column sorts by itself, but for notes. */
static void set_keys(struct list *l)
{
    for (int i = 0; i < l->view.panes[0].n_columns; i++) {
        const struct table_column *c = &l->drawn.table.columns[l->drawn.column_of[i]];

        l->keys[i] = c->kind == TABLE_NOTE ? LIST_NO_KEY : c->id;
    }
}

static void make_columns(struct list *l)
{
    l->drawn.sort = l->sort;
    l->drawn.reversed = l->reversed;
    l->class->columns(l);
    set_keys(l);
}

/*--- The view ---*/

size_t list_selected(const struct view *view)
{
    const struct list *l = (const void *)view;
    const struct pane *p = &view->panes[0];

    return p->n ? l->shown[p->selected] : SIZE_MAX;
}

void list_select(struct list *l, size_t item)
{
    struct pane *p = &l->view.panes[0];

    for (size_t i = 0; i < p->n; i++)
        if (l->shown[i] == item)
            p->selected = i;
}

void list_show(struct list *l)
{
    size_t item = list_selected(&l->view);

    show(l);
    list_select(l, item);
}

size_t list_n_found(const struct list *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->view.panes[0].n; i++)
        n += l->shown[i] < l->n;
    return n;
}

static bool is_same(const struct pane_row *a, const struct pane_row *b)
{
    if (a->same)
        return a->same == b->same && a->same_line == b->same_line;
    return a->function != CPROF_NONE && a->function == b->function;
}

static void free_items(struct list *l)
{
    free(l->order);
    free(l->shown);
    free(l->found);
    free(l->text);
    free(l->names);
}

/* Replaces the items. */
static void replace(struct list *l, size_t n)
{
    free_items(l);
    l->n = n;
    l->order = xreallocarray(NULL, n, sizeof *l->order);
    l->shown = NULL;
    l->room = 0;
    l->found = xreallocarray(NULL, n, sizeof *l->found);
    l->text = l->names = NULL;
    for (size_t i = 0; i < n; i++)
        l->order[i] = i;
    l->is_measured = false;
    make_columns(l);
    sort_list(l);
    list_filter(&l->view, l->view.filter);
}

/* Makes the items anew. The selection stays with what it is of; `is_other`: they are others, of
 * which the first one may stay selected. */
static void renew(struct list *l, bool is_other)
{
    size_t item = list_selected(&l->view);
    struct pane_row old = {.function = CPROF_NONE}, row;

    if (item != SIZE_MAX && (!is_other || !l->class->first_stays || l->view.panes[0].selected))
        old = l->class->item(l, item);
    replace(l, l->class->load(l));
    for (size_t i = 0; i < l->view.panes[0].n; i++) {
        row = l->class->item(l, l->shown[i]);
        if (is_same(&old, &row)) {
            l->view.panes[0].selected = i;
            return;
        }
    }
}

static void update(struct list *l, bool is_other)
{
    if (l->class->is_stale && l->class->is_stale(l)) {
        renew(l, is_other);
        return;
    }
    make_columns(l); /* this may choose the measure of values */
    sort_list(l);
    list_show(l);
}

void list_update(struct view *view)
{
    update((void *)view, true);
}

void list_head(struct view *view, int column)
{
    struct list *l = (void *)view;

    if (l->keys[column] == LIST_NO_KEY)
        return;
    l->reversed = l->keys[column] == l->sort && !l->reversed;
    l->sort = l->keys[column];
    update(l, false);
}

static void make_small(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

/* All that the filter searches of an item. */
static char *words_of(const struct list *l, size_t item)
{
    const char *name;

    if (l->class->words)
        return l->class->words(l, item);
    name = l->class->item(l, item).name;
    return name ? xstrdup(name) : text_in(l, item, &l->drawn.table.columns[l->drawn.names]);
}

/* Gathers the names, which are all over memory: in one place a search takes a moment. */
static void gather_names(struct list *l)
{
    struct strbuf all = {.text = NULL};

    for (size_t i = 0; i < l->n; i++) {
        char *words = words_of(l, i);

        make_small(words);
        strbuf_add_bytes(&all, words, strlen(words) + 1);
        free(words);
    }
    l->names = strbuf_take(&all);
}

/* Finds the items with `text`, which it takes over, in their names. Names without the beginning of
 * it cannot have all of it. */
static void find(struct list *l, char *text)
{
    bool further = text && l->text && !strncmp(text, l->text, strlen(l->text));
    const char *name;

    if (text && !l->names)
        gather_names(l);
    name = l->names;
    for (size_t i = 0; i < l->n; i++) {
        if (!text || !further || l->found[i])
            l->found[i] = !text || strstr(name, text);
        if (text)
            name += strlen(name) + 1;
    }
    free(l->text);
    l->text = text;
}

void list_filter(struct view *view, const char *text)
{
    struct list *l = (void *)view;
    char *small = text && *text ? xstrdup(text) : NULL;

    if (small)
        make_small(small);
    find(l, small);
    show(l);
    view->panes[0].selected = view->panes[0].top = 0;
}

/* Sorts by inclusive cost, or by own. Returns false where the list has no such column. */
static bool turn_inclusive(struct list *l)
{
    if (!l->view.browsed->has_calls || l->class->self == l->class->inclusive)
        return false;
    l->sort = l->sort == l->class->inclusive ? l->class->self : l->class->inclusive;
    l->reversed = false;
    update(l, false);
    return true;
}

bool list_act(struct view *view, enum action action)
{
    struct list *l = (void *)view;
    size_t item = list_selected(view);

    switch (action) {
    case ACTION_OPEN:
        if (!l->class->open)
            return false;
        if (item != SIZE_MAX)
            l->class->open(l, item);
        return true;
    case ACTION_INCLUSIVE:
        return turn_inclusive(l);
    case ACTION_SORT_LEFT:
    case ACTION_SORT_RIGHT:
        shift_sort(l, action == ACTION_SORT_LEFT ? -1 : 1);
        break;
    case ACTION_REVERSE:
        l->reversed = !l->reversed;
        make_columns(l); /* with their marks */
        list_show(l);
        return true;
    case ACTION_OWN_ONLY:
        if (!l->class->is_all_code)
            return false;
        l->view.browsed->own_only = !l->view.browsed->own_only;
        list_show(l);
        return true;
    default:
        return false;
    }
    update(l, false);
    return true;
}

static struct pane_row selected(const struct view *view)
{
    const struct list *l = (const void *)view;
    size_t item = list_selected(view);

    return item == SIZE_MAX ? (struct pane_row){.function = CPROF_NONE} : l->class->item(l, item);
}

size_t list_row(const struct view *view)
{
    return browsed_row_of(view->browsed, selected(view).function);
}

struct place list_place(const struct view *view)
{
    struct pane_row row = selected(view);

    return row.opens_there ? (struct place){row.file, row.line} : (struct place){NULL, 0};
}

void *list_make(size_t size, const struct view_class *view_class, const struct list_class *class,
                struct browser *browser, struct browsed *browsed, const char *empty)
{
    struct list *l = xcalloc(1, size);

    l->view =
        (struct view){.class = view_class, .browser = browser, .browsed = browsed, .n_panes = 1};
    l->view.panes[0] = (struct pane){.line = draw_item, .view = l, .empty = empty};
    l->class = class;
    l->drawn.browsed = browsed;
    l->drawn.pane = &l->view.panes[0];
    return l;
}

struct view *list_start(struct list *l)
{
    replace(l, l->class->load(l));
    return &l->view;
}

void list_reload(struct list *l)
{
    replace(l, l->class->load(l));
    pane_select(&l->view.panes[0], 0);
}

void list_end(struct view *view)
{
    struct list *l = (void *)view;

    if (l->class->unload)
        l->class->unload(l);
    pane_table_free(&l->drawn);
    free_items(l);
    free(l->view.filter);
    free(l);
}

/*--- Filled tables ---*/

static struct cell copy_cell(const void *filled, const void *row, const struct table_column *column)
{
    struct cell cell = ((const struct cell *)row)[column->id];

    (void)filled;
    cell.text = cell.text ? xstrdup(cell.text) : NULL;
    return cell;
}

void list_show_table(struct list *l, const struct table *t)
{
    pane_table_begin(&l->drawn, t);
    for (size_t i = 0; i < t->n_columns; i++) {
        struct table_column column = t->columns[i];

        column.cell = copy_cell;
        column.id = (int)i;
        table_column(&l->drawn.table, &column);
    }
    list_fit(l);
}
