#include <config.h>

#include "tui/list.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "render/text/table_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*--- Order ---*/

/* Items are sorted by value, then by text (if they have one), then by the class's comparison, then
 * by number. */

/* An item without its key; "" where it has no text. */
static struct sorted item_of(const struct list *l, size_t item)
{
    const char *text = l->class->text ? l->class->text(l, item) : NULL;

    return (struct sorted){0, text ? text : "", item};
}

/* The order of items of one value and text. */
static int compare_rest(const void *a, const void *b, void *context)
{
    const struct list *l = context;
    const struct sorted *x = a, *y = b;
    int order = l->class->compare ? l->class->compare(l, x->index, y->index) : 0;

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare(const void *a, const void *b, void *context)
{
    struct list *l = context;
    const struct sorted *x = a, *y = b;
    long double x_value = l->class->value(l, x->index), y_value = l->class->value(l, y->index);
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
    long double value = l->class->value(l, items[0].index);

    for (size_t i = 1; i < n; i++)
        if (l->class->value(l, items[i].index) != value) {
            qsort_r(items, n, sizeof *items, compare, l);
            return;
        }
    sort_texts(items, n, l->class->compare ? compare_rest : NULL, l);
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
        items[i].key = key_of(l->class->value(l, i));
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

static void show_item(struct list *l, size_t item)
{
    struct pane *p = &l->view.panes[0];

    GROW(l->shown, p->n, l->room);
    l->shown[p->n++] = item;
}

/* Shows the items that the filter finds, in order. */
static void show(struct list *l)
{
    bool own_only = l->view.data->own_only && l->class->own;

    l->view.panes[0].n = 0;
    for (size_t i = 0; i < l->n; i++) {
        size_t item = l->order[l->reversed ? l->n - 1 - i : i], first = 0, n;

        if (!l->found[item] || (own_only && !l->class->own(l, item)))
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

static char mark_of(const struct list *l, int key, bool rising)
{
    return l->sort != key ? 0 : rising != l->reversed ? '^' : 'v';
}

void list_add(struct list *l, int key, bool rising, const struct pane_column *column)
{
    struct pane *p = &l->view.panes[0];

    l->keys[p->n_columns] = key;
    p->columns[p->n_columns] = *column;
    p->columns[p->n_columns++].sorted = key == LIST_NO_KEY ? 0 : mark_of(l, key, rising);
}

void list_add_names(struct list *l, int name_key, int place_key)
{
    struct pane_column name = {.head = "Function", .share = 3, .cut = TEXT_CUT_NAME};

    name.width = data_names_width(l->view.data, &l->view.panes[0]);
    if (data_has_own_code(l->view.data)) /* its names have what they need */
        name.share = 1;
    list_add(l, name_key, true, &name);
    list_add(
        l, place_key, true,
        &(struct pane_column){.head = "Location", .width = 10, .share = 2, .cut = TEXT_CUT_PLACE});
}

void list_add_numbers(struct list *l, int key, const char *head)
{
    struct pane *p = &l->view.panes[0];
    int first = p->n_columns;

    data_head(l->view.data, p, head, mark_of(l, key, false));
    for (int i = first; i < p->n_columns; i++)
        l->keys[i] = key;
}

static bool has_bounds(const struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->items[i].bound == BOUND_LEAST)
            return true;
    return false;
}

void list_add_inclusive(struct list *l, int key, const struct rows *rows)
{
    struct pane *p = &l->view.panes[0];
    int first = p->n_columns, width = data_width(l->view.data) + 1;

    list_add_numbers(l, key, "Inclusive");
    if (data_numbers(l->view.data) != NUMBERS_PERCENT && p->columns[first].width < width &&
        has_bounds(rows))
        p->columns[first].width = width;
}

static void make_columns(struct list *l)
{
    l->view.panes[0].n_columns = 0;
    l->class->columns(l);
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

void list_update(struct view *view)
{
    struct list *l = (void *)view;

    make_columns(l); /* this may choose the measure of values */
    sort(l);
    list_show(l);
}

void list_head(struct view *view, int column)
{
    struct list *l = (void *)view;

    if (l->keys[column] == LIST_NO_KEY)
        return;
    l->reversed = l->keys[column] == l->sort && !l->reversed;
    l->sort = l->keys[column];
    list_update(view);
}

static void make_small(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

/* Gathers the names, which are all over memory: in one place a search takes a moment. */
static void gather_names(struct list *l)
{
    size_t size = 0, at = 0;

    for (size_t i = 0; i < l->n; i++)
        size += strlen(l->class->name(l, i)) + 1;
    l->names = xmalloc(size + 1);
    for (size_t i = 0; i < l->n; i++) {
        const char *name = l->class->name(l, i);

        strcpy(l->names + at, name);
        make_small(l->names + at);
        at += strlen(name) + 1;
    }
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

bool list_act(struct view *view, enum action action)
{
    struct list *l = (void *)view;

    switch (action) {
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
        if (!l->class->own)
            return false;
        l->view.data->own_only = !l->view.data->own_only;
        list_show(l);
        return true;
    default:
        return false;
    }
    list_update(view);
    return true;
}

const struct row *list_selected_row(const struct view *view)
{
    const struct list *l = (const void *)view;
    size_t item = list_selected(view);

    return item == SIZE_MAX ? NULL : l->class->row(l, item);
}

size_t list_row(const struct view *view)
{
    const struct row *row = list_selected_row(view);

    return row ? data_row_of(view->data, row->function) : SIZE_MAX;
}

struct place list_place(const struct view *view)
{
    const struct row *row = list_selected_row(view);

    return row ? (struct place){row->file, row->line} : (struct place){NULL, 0};
}

void *list_new(size_t size, const struct view_class *class, struct browser *browser,
               struct data *data, pane_line_fn *line, const char *empty)
{
    struct list *l = xcalloc(1, size);

    l->view = (struct view){.class = class, .browser = browser, .data = data};
    l->view.panes[0] = (struct pane){.line = line, .view = l, .empty = empty};
    return l;
}

void list_begin(struct list *l, const struct list_class *class, size_t n)
{
    l->class = class;
    l->view.n_panes = 1;
    list_renew(l, n);
}

static void free_items(struct list *l)
{
    free(l->order);
    free(l->shown);
    free(l->found);
    free(l->text);
    free(l->names);
}

void list_renew(struct list *l, size_t n)
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
    make_columns(l);
    sort(l);
    list_filter(&l->view, l->view.filter);
}

void list_free(struct list *l)
{
    free_items(l);
    free(l->view.filter);
}

/*--- Figures ---*/

enum { FULL, ROUNDED };
enum {
    PERCENT_WIDTH = 5, /* columns */
    ROUNDED_WIDTH = 6,
    ROUNDED_FROM = 10000,
    NAME_LEAST = 16,
    PLACE_LEAST = 15,
    GAP = 1
};

void figures_begin(struct figures *f, const void *subject, const struct table_column *columns,
                   size_t n)
{
    *f = (struct figures){.columns = columns, .n = n, .subject = subject};
}

static struct cell cell_at(const struct figures *f, const void *row, size_t i)
{
    return f->columns[i].cell(f->subject, row, &f->columns[i]);
}

static void widen(int *width, int other)
{
    *width = other > *width ? other : *width;
}

/* Counts as wide as others are many: none is written that is not. */
static void widen_column(struct figures *f, size_t i, const struct cell *cell)
{
    char *text;
    int width;

    if (cell->kind == CELL_SHARE) {
        widen(&f->widths[FULL][i], PERCENT_WIDTH);
        widen(&f->widths[ROUNDED][i], PERCENT_WIDTH);
        return;
    }
    text = cell_clean_text(cell, COUNT_FULL);
    width = (int)strlen(text);
    widen(&f->widths[FULL][i], width);
    if (cell->kind == CELL_COUNT && cell->value >= ROUNDED_FROM)
        width = ROUNDED_WIDTH;
    widen(&f->widths[ROUNDED][i], width);
    free(text);
}

void figures_widen(struct figures *f, const void *row)
{
    for (size_t i = 0; i < f->n; i++) {
        struct cell cell = cell_at(f, row, i);

        widen_column(f, i, &cell);
        cell_free(&cell);
    }
}

long double figures_order(const struct figures *f, const void *row, int column)
{
    struct cell cell;
    long double order;

    if (column < 0 || (size_t)column >= f->n)
        return 0;
    cell = cell_at(f, row, (size_t)column);
    order = cell_order(&cell);
    cell_free(&cell);
    return order;
}

/* The width of a column, with room for the arrow of the order in its head. */
static int width_of(const struct figures *f, size_t i)
{
    int width = f->widths[f->rounded ? ROUNDED : FULL][i];
    int head = (int)strlen(f->columns[i].heading) + 1;

    return width > head ? width : head;
}

int figures_room(const struct figures *f)
{
    int room = COLS;

    for (size_t i = 0; i < f->n; i++)
        if (f->shown[i])
            room -= width_of(f, i) + GAP;
    return room;
}

/* Chooses the columns that are not spared at `level`. Returns true where they have room. */
static bool fits(struct figures *f, unsigned level, bool rounded, int texts)
{
    f->rounded = rounded;
    for (size_t i = 0; i < f->n; i++)
        f->shown[i] = !f->columns[i].spare || f->columns[i].spare > level;
    return figures_room(f) >= texts;
}

bool figures_fit(struct figures *f, int texts, int spare)
{
    unsigned last = 1;

    for (size_t i = 0; i < f->n; i++)
        last = f->columns[i].spare > last ? f->columns[i].spare : last;
    for (unsigned level = 0; level <= last; level++) {
        int all = texts + (level ? 0 : spare);

        if (fits(f, level, false, all) || fits(f, level, true, all))
            return level == 0;
    }
    return false;
}

void figures_columns(const struct figures *f, struct list *l)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->shown[i])
            list_add(l, (int)i, false,
                     &(struct pane_column){
                         .head = f->columns[i].heading, .width = width_of(f, i), .right = true});
}

void figures_texts(const struct figures *f, const void *row, struct pane_cells *cells, int *at,
                   enum look look)
{
    for (size_t i = 0; i < f->n; i++) {
        struct cell cell;

        if (!f->shown[i])
            continue;
        cell = cell_at(f, row, i);
        cells->text[*at] = cell_clean_text(&cell, f->rounded ? COUNT_SHORT : COUNT_FULL);
        cells->look[(*at)++] = look;
        cell_free(&cell);
    }
}

bool figures_add(struct figures *f, struct list *l, const struct figure_names *names)
{
    int half = COLS / 2 > NAME_LEAST ? COLS / 2 : NAME_LEAST;
    int head = (int)strlen(names->columns[0].heading) + 1;
    int widest = names->widest > head ? names->widest : head;
    int width = widest < half ? widest : half;
    bool places = figures_fit(f, width, PLACE_LEAST + GAP);

    figures_columns(f, l);
    list_add(l, names->key, true,
             &(struct pane_column){.head = names->columns[0].heading,
                                   .width = width <= figures_room(f) ? width : NAME_LEAST / 2,
                                   .share = 1,
                                   .cut = TEXT_CUT_NAME});
    if (places)
        list_add(l, names->key + 1, true,
                 &(struct pane_column){.head = names->columns[1].heading,
                                       .width = PLACE_LEAST,
                                       .share = 3,
                                       .cut = TEXT_CUT_PLACE});
    return places;
}
