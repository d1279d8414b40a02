#include <config.h>

/* Two profiles side by side, function by function. */
#include "base/memory.h"
#include "diff/diff.h"
#include "names/location.h"
#include "render/text/diff.h"
#include "render/text/text.h"
#include "tui/browser.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_CHANGE, KEY_RATIO, KEY_OLD_COST, KEY_NEW_COST, KEY_NAME };

enum { RATIO_WIDTH = 8 };

/* Items are rows of the diff. */
struct diff_list {
    struct list list;
    struct diff diff;
    struct columns columns; /* of both profiles */
    const struct column *measure;
    bool inclusive;
    uint32_t *row_of; /* by row of the diff: the row of the data; CPROF_NONE: only OLD has it */
};

/*--- Order ---*/

static int64_t old_of(const struct diff_list *c, const struct diff_row *r)
{
    return column_value(c->measure, r->counts[DIFF_OLD]);
}

static int64_t new_of(const struct diff_list *c, const struct diff_row *r)
{
    return column_value(c->measure, r->counts[DIFF_NEW]);
}

static const char *name_of(const struct list *l, size_t item)
{
    const struct diff_list *c = (const void *)l;

    return c->diff.rows[item].label;
}

/* Changes within the noise are no changes, and stand where rows without a change do. */
static long double value_of(const struct list *l, size_t item)
{
    const struct diff_list *c = (const void *)l;
    const struct diff_row *r = &c->diff.rows[item];
    long double delta = diff_is_changed(c->measure, r) ? diff_delta(c->measure, r) : 0;
    long double old = old_of(c, r);

    switch (l->sort) {
    case KEY_CHANGE:
        return delta < 0 ? -delta : delta;
    case KEY_RATIO:
        return old != 0 ? delta / old : delta > 0 ? (long double)INT64_MAX : 0;
    case KEY_OLD_COST:
        return old;
    case KEY_NEW_COST:
        return new_of(c, r);
    default:
        return 0;
    }
}

/*--- Columns ---*/

static void add_count(struct list *l, enum key key, const char *head, int width)
{
    list_add(l, (int)key, false,
             &(struct pane_column){.head = head, .width = width, .right = true});
}

static int width_of(int64_t value)
{
    char text[TEXT_NUMBER];
    int width = (int)strlen(text_count(text, value));

    return width < 8 ? 8 : width;
}

/* Chooses the data's measure, or the first event where one profile lacks it. */
static void choose_measure(struct diff_list *c)
{
    const struct data *d = c->list.view.data;
    const struct column *self = columns_find(&c->columns, data_self(d)->name), *inclusive;

    c->measure = self ? self : c->columns.items;
    inclusive = c->inclusive ? columns_inclusive(&c->columns, c->measure) : NULL;
    if (inclusive)
        c->measure = inclusive;
}

static void columns(struct list *l)
{
    struct diff_list *c = (void *)l;
    int before, after;

    choose_measure(c);
    before = width_of(old_of(c, &c->diff.total));
    after = width_of(new_of(c, &c->diff.total));
    add_count(l, KEY_CHANGE, "Change", 1 + (before > after ? before : after));
    add_count(l, KEY_RATIO, "%", RATIO_WIDTH);
    add_count(l, KEY_OLD_COST, "Old", before);
    add_count(l, KEY_NEW_COST, "New", after);
    list_add_names(l, KEY_NAME, LIST_NO_KEY);
}

static bool is_own(const struct list *l, size_t item)
{
    const struct diff_list *c = (const void *)l;
    uint32_t row = c->row_of[c->diff.rows[item].index];

    return row != CPROF_NONE && l->view.data->crates.own[l->view.data->rows.items[row].function];
}

static const struct list_class list_class = {
    .name = name_of, .value = value_of, .text = name_of, .columns = columns, .own = is_own};

/* Makes a factor fit its column, where no number may be cut in its middle: as a bound. Percentages
 * fit. */
static void fit_ratio(char text[TEXT_NUMBER])
{
    if (text_width(text) > RATIO_WIDTH)
        snprintf(text, TEXT_NUMBER, ">%s999999", text_sign("\303\227", "x"));
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct diff_list *c = pane->view;
    const struct data *d = c->list.view.data;
    const struct diff_row *r = &c->diff.rows[c->list.shown[i]];
    int64_t delta = diff_delta(c->measure, r);
    enum look look = !diff_is_changed(c->measure, r) ? LOOK_DIM : delta > 0 ? LOOK_MORE : LOOK_LESS;
    uint32_t row = c->row_of[r->index];
    char text[TEXT_NUMBER], *place;

    diff_change_text(text, delta);
    cells->text[0] = xstrdup(text);
    diff_percent_text(text, old_of(c, r), new_of(c, r));
    fit_ratio(text);
    cells->text[1] = xstrdup(text);
    cells->look[0] = cells->look[1] = look;
    cells->text[2] = xstrdup(text_count(text, old_of(c, r)));
    cells->text[3] = xstrdup(text_count(text, new_of(c, r)));
    cells->text[4] = text_clean(r->label);
    cells->look[4] =
        row == CPROF_NONE ? LOOK_TEXT : data_name_look(d, d->rows.items[row].function, false);
    place = location_text(r->file, r->line, r->object, d->root);
    cells->text[5] = text_clean(place);
    cells->look[5] = LOOK_DIM;
    free(place);
}

/*--- The view ---*/

static char *title(const struct view *view)
{
    const struct diff_list *c = (const void *)view;
    char change[TEXT_NUMBER], percent[TEXT_NUMBER];

    diff_change_text(change, diff_delta(c->measure, &c->diff.total));
    diff_percent_text(percent, old_of(c, &c->diff.total), new_of(c, &c->diff.total));
    return xasprintf("old to new, %s: %s in all (%s%s)", c->measure->name, change, percent,
                     diff_percent_unit(percent));
}

static size_t selected_row(const struct view *view)
{
    const struct diff_list *c = (const void *)view;
    size_t item = list_selected(view);
    uint32_t row = item == SIZE_MAX ? CPROF_NONE : c->row_of[c->diff.rows[item].index];

    return row == CPROF_NONE ? SIZE_MAX : row;
}

static bool act(struct view *view, enum action action)
{
    struct diff_list *c = (void *)view;
    size_t row = selected_row(view);

    switch (action) {
    case ACTION_INCLUSIVE:
        c->inclusive = !c->inclusive;
        list_update(view);
        return true;
    case ACTION_OPEN:
        if (row == SIZE_MAX && view->panes[0].n)
            browser_say(view->browser, "only the old profile has this function");
        else
            browser_open_function(view->browser, row);
        return true;
    case ACTION_DIFF:
        return true;
    default:
        return list_act(view, action);
    }
}

static void free_view(struct view *view)
{
    struct diff_list *c = (void *)view;

    list_free(&c->list);
    columns_free(&c->columns);
    diff_free(&c->diff);
    free(c->row_of);
    free(c);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "calls"},        {ACTION_SOURCE, "source"}, {ACTION_SORT_RIGHT, "sort"},
    {ACTION_OWN_ONLY, "own only"}, {ACTION_FILTER, "filter"}, {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = list_update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .row = selected_row,
                                        .free = free_view};

/* Finds for each row of the diff the data's row of its costliest function. */
static void find_rows(struct diff_list *c)
{
    const struct data *d = c->list.view.data;

    c->row_of = xreallocarray(NULL, c->diff.n_all, sizeof *c->row_of);
    for (size_t i = 0; i < c->diff.n_all; i++)
        c->row_of[i] = CPROF_NONE;
    for (size_t i = 0; i < d->rows.n; i++) {
        uint32_t at = c->diff.row_of[DIFF_NEW][d->rows.items[i].function];

        /* The data's rows are sorted, the costliest first. */
        if (at != CPROF_NONE && c->row_of[at] == CPROF_NONE)
            c->row_of[at] = (uint32_t)i;
    }
}

struct view *view_diff(struct browser *browser, struct data *data,
                       const struct browser_input *input)
{
    struct diff_list *c =
        list_new(sizeof *c, &class, browser, data, line, "no function has that name");

    diff_load(&c->diff, input->old, data->profile, input->noise);
    if (!c->diff.common.n) {
        diff_free(&c->diff);
        free(c);
        return NULL;
    }
    columns_load(&c->columns, c->diff.common);
    find_rows(c);
    diff_set_labels(&c->diff, (enum name_style)input->name_style);
    diff_filter(&c->diff, NULL, NULL);
    list_begin(&c->list, &list_class, c->diff.n);
    if (c->diff.sampled)
        browser_say(browser, "changes within the noise of samples are not counted");
    else if (c->diff.runs)
        browser_say(browser, "changes within the noise of %u runs are not counted", c->diff.runs);
    return &c->list.view;
}
