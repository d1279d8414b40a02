#include <config.h>

/* Two profiles side by side, function by function. */
#include "tui/view.h"

#include "base/memory.h"
#include "model/diff.h"
#include "model/location.h"
#include "out/diff.h"
#include "out/text.h"
#include "tui/browser.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum key { KEY_CHANGE, KEY_RATIO, KEY_OLD_COST, KEY_NEW_COST, KEY_NAME, N_KEYS };

struct compared {
    struct view view;
    struct diff diff;
    struct columns columns; /* of both */
    const struct column *measure;
    bool inclusive;
    enum key sort;
    bool reversed;
    struct diff_row **shown;
    uint32_t *row_of; /* of each row of the diff: that of the data; CPROF_NONE: only OLD has it */
};

/*--- Order ---*/

static int64_t old_of(const struct compared *c, const struct diff_row *r)
{
    return column_value(c->measure, r->counts[DIFF_OLD]);
}

static int64_t new_of(const struct compared *c, const struct diff_row *r)
{
    return column_value(c->measure, r->counts[DIFF_NEW]);
}

static double sort_value(const struct compared *c, const struct diff_row *r)
{
    double delta = (double)diff_delta(c->measure, r), old = (double)old_of(c, r);

    switch (c->sort) {
    case KEY_CHANGE:
        return delta < 0 ? -delta : delta;
    case KEY_RATIO:
        return old != 0 ? delta / old : delta > 0 ? (double)INT64_MAX : 0;
    case KEY_OLD_COST:
        return old;
    default:
        return (double)new_of(c, r);
    }
}

static int compare(const void *a, const void *b, void *context)
{
    const struct compared *c = context;
    const struct diff_row *x = *(struct diff_row *const *)a, *y = *(struct diff_row *const *)b;
    double p = c->sort == KEY_NAME ? 0 : sort_value(c, x);
    double q = c->sort == KEY_NAME ? 0 : sort_value(c, y);
    int order = p != q ? (p > q ? -1 : 1) : strcmp(x->name, y->name);

    return c->reversed ? -order : order;
}

static void sort(struct compared *c)
{
    if (c->view.panes[0].n)
        qsort_r(c->shown, c->view.panes[0].n, sizeof(struct diff_row *), compare, c);
}

/*--- Columns ---*/

static void add_column(struct compared *c, enum key key, const char *head, int width)
{
    struct pane *p = &c->view.panes[0];
    bool name = key == KEY_NAME;

    p->columns[p->n_columns++] = (struct pane_column){.head = head,
                                                      .width = width,
                                                      .share = name ? 3 : 0,
                                                      .right = !name,
                                                      .sorted = c->sort != key        ? 0
                                                                : name != c->reversed ? '^'
                                                                                      : 'v'};
}

static int width_of(int64_t value)
{
    char text[TEXT_NUMBER];
    int width = (int)strlen(text_count(text, value));

    return width < 8 ? 8 : width;
}

static void make_columns(struct compared *c)
{
    struct pane *p = &c->view.panes[0];
    int old = width_of(old_of(c, &c->diff.total)), new = width_of(new_of(c, &c->diff.total));

    p->n_columns = 0;
    add_column(c, KEY_CHANGE, "Change", 1 + (old > new ? old : new));
    add_column(c, KEY_RATIO, "%", 8);
    add_column(c, KEY_OLD_COST, "Old", old);
    add_column(c, KEY_NEW_COST, "New", new);
    add_column(c, KEY_NAME, "Function", 16);
    p->columns[p->n_columns++] =
        (struct pane_column){.head = "Location", .width = 10, .share = 2, .cut = CUT_START};
}

static void line(struct pane *pane, size_t i, struct line_cells *cells)
{
    const struct compared *c = pane->view;
    const struct data *d = c->view.data;
    const struct diff_row *r = c->shown[i];
    int64_t delta = diff_delta(c->measure, r);
    enum look look = !diff_is_changed(c->measure, r) ? LOOK_DIM : delta > 0 ? LOOK_MORE : LOOK_LESS;
    uint32_t row = c->row_of[r->index];
    char text[TEXT_NUMBER], *place;

    diff_change_text(text, delta);
    cells->text[0] = xstrdup(text);
    diff_percent_text(text, old_of(c, r), new_of(c, r));
    cells->text[1] = xstrdup(text);
    cells->look[0] = cells->look[1] = look;
    cells->text[2] = xstrdup(text_count(text, old_of(c, r)));
    cells->text[3] = xstrdup(text_count(text, new_of(c, r)));
    cells->text[4] = text_clean(r->name, screen_utf8());
    cells->look[4] = row != CPROF_NONE && d->marked[row] ? LOOK_MARK : LOOK_TEXT;
    place = location_text(r->file, r->line, r->object, d->root);
    cells->text[5] = text_clean(place, screen_utf8());
    cells->look[5] = LOOK_DIM;
    free(place);
}

/*--- The view ---*/

static void filter_by(struct view *view, const char *text)
{
    struct compared *c = (void *)view;
    struct pane *p = &view->panes[0];

    p->n = 0;
    for (size_t i = 0; i < c->diff.n; i++)
        if (!text || !*text || strcasestr(c->diff.rows[i].name, text))
            c->shown[p->n++] = &c->diff.rows[i];
    sort(c);
    p->selected = p->top = 0;
}

/* What both have of the measure: else their first event. */
static void update(struct view *view)
{
    struct compared *c = (void *)view;
    const struct column *self = columns_find(&c->columns, data_self(view->data)->name), *inclusive;

    c->measure = self ? self : c->columns.items;
    inclusive = c->inclusive ? columns_inclusive(&c->columns, c->measure) : NULL;
    if (inclusive)
        c->measure = inclusive;
    make_columns(c);
    sort(c);
}

static char *title(const struct view *view)
{
    const struct compared *c = (const void *)view;
    char change[TEXT_NUMBER], percent[TEXT_NUMBER];

    diff_change_text(change, diff_delta(c->measure, &c->diff.total));
    diff_percent_text(percent, old_of(c, &c->diff.total), new_of(c, &c->diff.total));
    return xasprintf("old to new, %s: %s in all (%s%s)", c->measure->name, change, percent,
                     percent[0] == '+' || percent[0] == '-' ? " %" : "");
}

static size_t selected_row(const struct view *view)
{
    const struct compared *c = (const void *)view;
    const struct pane *p = &view->panes[0];
    uint32_t row = p->n ? c->row_of[c->shown[p->selected]->index] : CPROF_NONE;

    return row == CPROF_NONE ? SIZE_MAX : row;
}

static void head(struct view *view, int column)
{
    struct compared *c = (void *)view;

    if (column >= N_KEYS)
        return;
    c->reversed = (enum key)column == c->sort && !c->reversed;
    c->sort = (enum key)column;
    update(view);
}

static void open_selected(struct view *view)
{
    size_t row = selected_row(view);

    if (row == SIZE_MAX)
        browser_say(view->browser, "only the old profile has this function");
    else if (view->data->has_calls)
        browser_open(view->browser, view_calls(view->browser, view->data, row));
    else
        browser_open(view->browser, view_source(view->browser, view->data, row, false));
}

static bool act(struct view *view, enum action action)
{
    struct compared *c = (void *)view;

    switch (action) {
    case ACTION_SORT_LEFT:
    case ACTION_SORT_RIGHT:
        if (action == ACTION_SORT_LEFT ? c->sort > 0 : c->sort + 1 < N_KEYS)
            c->sort = action == ACTION_SORT_LEFT ? c->sort - 1 : c->sort + 1;
        c->reversed = false;
        break;
    case ACTION_REVERSE:
        c->reversed = !c->reversed;
        break;
    case ACTION_INCLUSIVE:
        c->inclusive = !c->inclusive;
        break;
    case ACTION_OPEN:
        open_selected(view);
        return true;
    case ACTION_DIFF:
        return true;
    default:
        return false;
    }
    update(view);
    return true;
}

static void free_view(struct view *view)
{
    struct compared *c = (void *)view;

    columns_free(&c->columns);
    diff_free(&c->diff);
    free(c->shown);
    free(c->row_of);
    free(view->filter);
    free(c);
}

static const struct view_class class = {.title = title,
                                        .update = update,
                                        .act = act,
                                        .head = head,
                                        .filter = filter_by,
                                        .row = selected_row,
                                        .free = free_view};

/* Of each row of the diff, the row of the data of its costliest function. */
static void find_rows(struct compared *c)
{
    const struct data *d = c->view.data;

    c->row_of = xreallocarray(NULL, c->diff.n_all, sizeof *c->row_of);
    for (size_t i = 0; i < c->diff.n_all; i++)
        c->row_of[i] = CPROF_NONE;
    for (size_t i = 0; i < d->rows.n; i++) {
        uint32_t at = c->diff.row_of[DIFF_NEW][d->rows.items[i].function];

        /* The data's rows stand costliest first. */
        if (at != CPROF_NONE && c->row_of[at] == CPROF_NONE)
            c->row_of[at] = (uint32_t)i;
    }
}

struct view *view_diff(struct browser *browser, struct data *data, const struct cprof_profile *old)
{
    const struct noise *const unknown[DIFF_SIDES] = {NULL, NULL};
    struct compared *c = xcalloc(1, sizeof *c);

    diff_load(&c->diff, old, data->profile, unknown);
    if (!c->diff.frame.n_events) {
        diff_free(&c->diff);
        free(c);
        return NULL;
    }
    c->view = (struct view){.class = &class, .browser = browser, .data = data, .n_panes = 1};
    c->view.panes[0] = (struct pane){.line = line, .view = c, .empty = "no function has that name"};
    columns_load(&c->columns, &c->diff.frame);
    c->shown = xreallocarray(NULL, c->diff.n_all, sizeof(struct diff_row *));
    find_rows(c);
    update(&c->view);
    filter_by(&c->view, NULL);
    return &c->view;
}
