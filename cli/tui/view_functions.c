#include <config.h>

/* The list of functions. */
#include "tui/view.h"

#include "base/memory.h"
#include "model/graph.h"
#include "out/text.h"
#include "tui/browser.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum key { KEY_SELF, KEY_INCLUSIVE, KEY_CALLS_MADE, KEY_NAME, KEY_PLACE, N_KEYS };

struct functions {
    struct view view;
    size_t *all; /* rows that the list is of */
    size_t n_all;
    char *group;   /* what they are all of; NULL: the program */
    size_t *shown; /* rows, in order */
    enum key sort;
    bool reversed;
    enum key keys[PANE_COLUMNS]; /* of each column */
};

/*--- Order ---*/

/* A row with what it is compared by: the values are worked out once each. */
struct entry {
    int64_t value;
    size_t row;
};

static int compare_values(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int compare_names(const void *a, const void *b, void *context)
{
    const struct data *d = context;
    const struct entry *x = a, *y = b;
    int order = strcmp(d->rows.items[x->row].name, d->rows.items[y->row].name);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int compare_places(const void *a, const void *b, void *context)
{
    const struct data *d = context;
    const struct entry *x = a, *y = b;
    const struct row *r = &d->rows.items[x->row], *s = &d->rows.items[y->row];
    const char *p = r->file ? r->file : r->object ? r->object : "";
    const char *q = s->file ? s->file : s->object ? s->object : "";
    int order = strcmp(p, q);

    if (!order)
        order = (r->line > s->line) - (r->line < s->line);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static const struct column *sort_column(const struct functions *f)
{
    const struct data *d = f->view.data;

    return f->sort == KEY_SELF         ? data_self(d)
           : f->sort == KEY_INCLUSIVE  ? data_inclusive(d)
           : f->sort == KEY_CALLS_MADE ? columns_find(&d->columns, "Calls")
                                       : NULL;
}

static void sort(struct functions *f)
{
    struct pane *p = &f->view.panes[0];
    struct entry *entries = xreallocarray(NULL, p->n, sizeof *entries);
    const struct column *column = sort_column(f);

    for (size_t i = 0; i < p->n; i++) {
        const struct row *row = &f->view.data->rows.items[f->shown[i]];

        entries[i] = (struct entry){column ? column_value(column, row->counts) : 0, f->shown[i]};
    }
    if (column && p->n)
        qsort(entries, p->n, sizeof *entries, compare_values);
    else if (p->n)
        qsort_r(entries, p->n, sizeof *entries,
                f->sort == KEY_NAME ? compare_names : compare_places, f->view.data);
    for (size_t i = 0; i < p->n; i++)
        f->shown[i] = entries[f->reversed ? p->n - 1 - i : i].row;
    free(entries);
}

/*--- Columns ---*/

static char mark_of(const struct functions *f, enum key key)
{
    bool rising = key == KEY_NAME || key == KEY_PLACE;

    return f->sort != key ? 0 : rising != f->reversed ? '^' : 'v';
}

static void add_column(struct functions *f, enum key key, const struct pane_column *column)
{
    struct pane *p = &f->view.panes[0];

    f->keys[p->n_columns] = key;
    p->columns[p->n_columns] = *column;
    p->columns[p->n_columns++].sorted = mark_of(f, key);
}

static void add_numbers(struct functions *f, enum key key, const char *head)
{
    struct pane *p = &f->view.panes[0];
    int first = p->n_columns;

    data_head(f->view.data, p, head, mark_of(f, key));
    for (int i = first; i < p->n_columns; i++)
        f->keys[i] = key;
}

static void make_columns(struct functions *f)
{
    const struct data *d = f->view.data;
    char calls[TEXT_NUMBER];

    f->view.panes[0].n_columns = 0;
    add_numbers(f, KEY_SELF, data_self(d)->header);
    if (d->has_calls) {
        int width = (int)strlen(text_count(calls, d->rows.totals[2 * d->profile->n_events]));

        add_numbers(f, KEY_INCLUSIVE, "Inclusive");
        add_column(f, KEY_CALLS_MADE,
                   &(struct pane_column){.head = "Calls",
                                         .width = width < 7    ? 7
                                                  : width > 13 ? 13
                                                               : width,
                                         .right = true});
    }
    add_column(
        f, KEY_NAME,
        &(struct pane_column){.head = "Function", .width = 16, .share = 3, .cut = CUT_MIDDLE});
    add_column(
        f, KEY_PLACE,
        &(struct pane_column){.head = "Location", .width = 10, .share = 2, .cut = CUT_START});
}

static void line(struct pane *pane, size_t i, struct line_cells *cells)
{
    struct functions *f = pane->view;
    const struct data *d = f->view.data;
    size_t at = f->shown[i];
    const struct row *row = &d->rows.items[at];
    int c = 0;
    char text[TEXT_NUMBER];

    data_cells(d, cells, &c, column_value(data_self(d), row->counts), false);
    if (d->has_calls) {
        data_cells(d, cells, &c, column_value(data_inclusive(d), row->counts),
                   row->bound == BOUND_LEAST);
        cells->text[c] = row_is_inlined(row)
                             ? xstrdup("inlined")
                             : xstrdup(text_count(text, row->counts[2 * d->profile->n_events]));
        cells->look[c++] = row_is_inlined(row) ? LOOK_INLINED : LOOK_TEXT;
    }
    cells->text[c] = data_name(d, at);
    cells->look[c++] = d->marked[at] ? LOOK_MARK : row_is_inlined(row) ? LOOK_INLINED : LOOK_TEXT;
    cells->text[c] = data_place(d, at);
    cells->look[c] = LOOK_DIM;
}

/*--- The view ---*/

static size_t selected_row(const struct view *view)
{
    const struct functions *f = (const void *)view;

    return view->panes[0].n ? f->shown[view->panes[0].selected] : SIZE_MAX;
}

/* Keeps the selection on the row it was on. */
static void reorder(struct functions *f)
{
    struct pane *p = &f->view.panes[0];
    size_t row = selected_row(&f->view);

    sort(f);
    for (size_t i = 0; i < p->n; i++)
        if (f->shown[i] == row)
            p->selected = i;
}

static void update(struct view *view)
{
    struct functions *f = (void *)view;

    make_columns(f);
    reorder(f);
}

static void filter_by(struct view *view, const char *text)
{
    struct functions *f = (void *)view;
    const struct data *d = view->data;
    struct pane *p = &view->panes[0];

    p->n = 0;
    for (size_t i = 0; i < f->n_all; i++)
        if (!text || !*text || strcasestr(d->rows.items[f->all[i]].name, text))
            f->shown[p->n++] = f->all[i];
    sort(f);
    p->selected = p->top = 0;
}

static char *title(const struct view *view)
{
    const struct functions *f = (const void *)view;
    const char *by[N_KEYS] = {data_self(view->data)->name, "inclusive", "calls", "name",
                              "location"};

    return xasprintf("functions%s%s by %s%s: %zu of %zu", f->group ? " of " : "",
                     f->group ? f->group : "", f->sort == KEY_SELF ? "own " : "", by[f->sort],
                     view->panes[0].n, f->n_all);
}

/* Sorts by the next column on that side which is another key. */
static void shift_sort(struct functions *f, int by)
{
    const struct pane *p = &f->view.panes[0];
    int at = 0;

    while (at < p->n_columns && f->keys[at] != f->sort)
        at++;
    while (at >= 0 && at < p->n_columns && f->keys[at] == f->sort)
        at += by;
    if (at < 0 || at >= p->n_columns)
        return;
    f->sort = f->keys[at];
    f->reversed = false;
}

static bool act(struct view *view, enum action action)
{
    struct functions *f = (void *)view;

    switch (action) {
    case ACTION_SORT_LEFT:
    case ACTION_SORT_RIGHT:
        shift_sort(f, action == ACTION_SORT_LEFT ? -1 : 1);
        break;
    case ACTION_REVERSE:
        f->reversed = !f->reversed;
        break;
    case ACTION_INCLUSIVE:
        if (!view->data->has_calls)
            return false;
        f->sort = f->sort == KEY_INCLUSIVE ? KEY_SELF : KEY_INCLUSIVE;
        f->reversed = false;
        break;
    case ACTION_OPEN:
        if (selected_row(view) != SIZE_MAX && view->data->has_calls)
            browser_open(view->browser, view_calls(view->browser, view->data, selected_row(view)));
        return true;
    default:
        return false;
    }
    update(view);
    return true;
}

static void head(struct view *view, int column)
{
    struct functions *f = (void *)view;

    if (f->keys[column] == f->sort)
        f->reversed = !f->reversed;
    else
        f->reversed = false;
    f->sort = f->keys[column];
    update(view);
}

static void free_view(struct view *view)
{
    struct functions *f = (void *)view;

    free(f->all);
    free(f->group);
    free(f->shown);
    free(view->filter);
    free(f);
}

static const struct view_class class = {.title = title,
                                        .update = update,
                                        .act = act,
                                        .head = head,
                                        .filter = filter_by,
                                        .row = selected_row,
                                        .free = free_view};

struct view *view_functions_of(struct browser *browser, struct data *data, const bool *members,
                               const char *group)
{
    struct functions *f = xcalloc(1, sizeof *f);

    f->view = (struct view){.class = &class, .browser = browser, .data = data, .n_panes = 1};
    f->view.panes[0] = (struct pane){.line = line, .view = f, .empty = "no function has that name"};
    f->group = group ? xstrdup(group) : NULL;
    f->all = xreallocarray(NULL, data->rows.n, sizeof *f->all);
    for (size_t i = 0; i < data->rows.n; i++)
        if (!members || members[i])
            f->all[f->n_all++] = i;
    f->shown = xreallocarray(NULL, data->rows.n, sizeof *f->shown);
    make_columns(f);
    filter_by(&f->view, NULL);
    return &f->view;
}

struct view *view_functions(struct browser *browser, struct data *data)
{
    return view_functions_of(browser, data, NULL, NULL);
}
