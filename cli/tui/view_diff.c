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

enum column_id { CHANGE, RATIO, OLD_COST, NEW_COST, NAME, PLACE };

/* Items are rows of the diff. */
struct diff_list {
    struct list list;
    struct diff diff;
    struct columns columns;       /* of both profiles */
    const struct column *measure; /* NULL: it is not loaded */
    bool inclusive;
    uint32_t *row_of; /* by row of the diff: the row in `browsed`; CPROF_NONE: only OLD has it */
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

/* Changes within the noise are no changes, and stand where rows without a change do. */
static long double value_of(const struct list *l, size_t item)
{
    const struct diff_list *c = (const void *)l;
    const struct diff_row *r = &c->diff.rows[item];
    long double delta = diff_is_changed(c->measure, r) ? diff_delta(c->measure, r) : 0;
    long double old = old_of(c, r);

    switch (l->sort) {
    case CHANGE:
        return delta < 0 ? -delta : delta;
    case RATIO:
        return old != 0 ? delta / old : delta > 0 ? (long double)INT64_MAX : 0;
    case OLD_COST:
        return old;
    case NEW_COST:
        return new_of(c, r);
    default:
        return 0;
    }
}

/*--- Columns ---*/

/* The measure that is chosen, or the first event where one profile lacks it. */
static const struct column *measure_of(const struct diff_list *c)
{
    const struct column *self = columns_find(&c->columns, browsed_self(c->list.view.browsed)->name);
    const struct column *inclusive;

    self = self ? self : c->columns.items;
    inclusive = c->inclusive ? columns_inclusive(&c->columns, self) : NULL;
    return inclusive ? inclusive : self;
}

static struct cell cell_of(const void *list, const void *row, const struct table_column *column)
{
    static const enum diff_part parts[] = {[CHANGE] = DIFF_PART_CHANGE,
                                           [RATIO] = DIFF_PART_PERCENT,
                                           [OLD_COST] = DIFF_PART_OLD,
                                           [NEW_COST] = DIFF_PART_NEW};
    const struct diff_list *c = list;
    const struct diff_row *r = row;

    if (column->id == NAME)
        return cell_text(r->label);
    if (column->id == PLACE)
        return cell_take(location_text(r->file, r->line, r->object, c->list.view.browsed->root));
    return diff_cell(parts[column->id], old_of(c, r), new_of(c, r),
                     !diff_is_changed(c->measure, r));
}

static const struct table_column diff_columns[] = {
    {"Change", TABLE_COUNT, .cell = cell_of, .id = CHANGE},
    {"%", TABLE_SHARE, .cell = cell_of, .id = RATIO},
    {"Old", TABLE_COUNT, .cell = cell_of, .id = OLD_COST},
    {"New", TABLE_COUNT, .cell = cell_of, .id = NEW_COST},
    {"Function", TABLE_NAME, .cell = cell_of, .id = NAME},
    {"Location", TABLE_PLACE, .cell = cell_of, .id = PLACE}};

static void columns(struct list *l)
{
    pane_table_begin(&l->drawn, l);
    l->drawn.dim_places = true;
    table_columns(&l->drawn.table, diff_columns, sizeof diff_columns / sizeof *diff_columns);
    list_fit(l);
}

static size_t load(struct list *l)
{
    struct diff_list *c = (void *)l;

    c->measure = measure_of(c);
    return c->diff.n;
}

static bool is_stale(const struct list *l)
{
    const struct diff_list *c = (const void *)l;

    return c->measure != measure_of(c);
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct diff_list *c = (const void *)l;
    const struct diff_row *r = &c->diff.rows[i];
    uint32_t row = c->row_of[r->index];

    return (struct pane_row){
        .row = r,
        .name = r->label,
        .function = row == CPROF_NONE ? CPROF_NONE : l->view.browsed->rows.items[row].function,
        .file = r->file ? r->file : r->object,
        .line = r->line,
        .same = r};
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

static void open(struct list *l, size_t i)
{
    (void)i;
    browser_open_function(l->view.browser, list_row(&l->view),
                          "only the old profile has this function");
}

static void open_why(const struct diff_list *c)
{
    struct browser *b = c->list.view.browser;
    struct view *why =
        view_why(b, c->list.view.browsed, b->input, c->columns.items[c->measure->self].name);

    if (why)
        browser_open(b, why);
}

static bool act(struct view *view, enum action action)
{
    struct diff_list *c = (void *)view;

    if (action == ACTION_DIFF) {
        open_why(c);
        return true;
    }
    if (action != ACTION_INCLUSIVE)
        return list_act(view, action);
    c->inclusive = !c->inclusive;
    list_update(view);
    return true;
}

static void unload(struct list *l)
{
    struct diff_list *c = (void *)l;

    columns_free(&c->columns);
    diff_free(&c->diff);
    free(c->row_of);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "calls"},        {ACTION_SOURCE, "source"}, {ACTION_SORT_RIGHT, "sort"},
    {ACTION_OWN_ONLY, "own only"}, {ACTION_FILTER, "filter"}, {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW(hints), .title = title, .act = act};

static const struct list_class list_class = {.item = item,
                                             .load = load,
                                             .is_stale = is_stale,
                                             .columns = columns,
                                             .value = value_of,
                                             .open = open,
                                             .unload = unload,
                                             .by_name = true,
                                             .is_all_code = true};

/* Finds for each row of the diff the row in `browsed` of its costliest function. */
static void find_rows(struct diff_list *c)
{
    const struct browsed *d = c->list.view.browsed;

    c->row_of = xreallocarray(NULL, c->diff.n_all, sizeof *c->row_of);
    for (size_t i = 0; i < c->diff.n_all; i++)
        c->row_of[i] = CPROF_NONE;
    for (size_t i = 0; i < d->rows.n; i++) {
        uint32_t at = c->diff.row_of[DIFF_NEW][d->rows.items[i].function];

        /* Rows are sorted, the costliest first. */
        if (at != CPROF_NONE && c->row_of[at] == CPROF_NONE)
            c->row_of[at] = (uint32_t)i;
    }
}

struct view *view_diff(struct browser *browser, struct browsed *browsed,
                       const struct browser_input *input)
{
    struct diff_list *c =
        list_make(sizeof *c, &class, &list_class, browser, browsed, "no function has that name");

    diff_load(&c->diff, input->old, browsed->profile, input->noise);
    if (!c->diff.common.n) {
        diff_free(&c->diff);
        free(c);
        return NULL;
    }
    columns_load(&c->columns, c->diff.common);
    find_rows(c);
    diff_set_labels(&c->diff, (enum name_style)input->name_style);
    diff_filter(&c->diff, NULL, NULL);
    list_start(&c->list);
    if (c->diff.sampled)
        browser_say(browser, "changes within the noise of samples are not counted");
    else if (c->diff.runs)
        browser_say(browser, "changes within the noise of %u runs are not counted", c->diff.runs);
    return &c->list.view;
}
