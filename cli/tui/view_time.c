#include <config.h>

/* Exact counts beside samples: own code with what other code cost for it, or all functions. */
#include "base/memory.h"
#include "diff/time_rows.h"
#include "render/text/table_text.h"
#include "render/text/text.h"
#include "render/text/time_table.h"
#include "table/own.h"
#include "tui/browser.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of time_table.h, and the name. */
enum { KEY_NAME = TIME_NUMBERS };

/* Items are rows of the table on the screen. */
struct time_list {
    struct list list;
    struct time_table tables[2]; /* of own code, of all functions */
    int shown_table;
};

enum { TABLE_OWN, TABLE_FUNCTIONS };

static const struct time_table *table_of(const struct list *l)
{
    const struct time_list *c = (const void *)l;

    return &c->tables[c->shown_table];
}

static const char *name_of(const struct list *l, size_t item)
{
    return time_row_name(table_of(l), &table_of(l)->rows[item]);
}

static long double value_of(const struct list *l, size_t item)
{
    const struct time_table *t = table_of(l);
    struct cell cell;
    long double order;

    if (l->sort == KEY_NAME)
        return 0;
    cell = time_number_cell(t, &t->rows[item], (enum time_number)l->sort);
    order = cell_order(&cell);
    cell_free(&cell);
    return order;
}

/* As the table stands, where values are equal. */
static const char *text_of(const struct list *l, size_t item)
{
    return l->sort == KEY_NAME ? name_of(l, item) : NULL;
}

/* Narrow screens leave out misses, so that there is room for names. */
static bool is_shown(const struct time_table *t, enum time_number n)
{
    return time_has_number(t, n) && (data_has_bars() || n < TIME_D1_RATE || n > TIME_BRANCH_RATE);
}

static void columns(struct list *l)
{
    const struct time_table *t = table_of(l);

    for (enum time_number n = 0; n < TIME_NUMBERS; n++)
        if (is_shown(t, n)) {
            const char *head = time_number_head(t, n);

            list_add(
                l, (int)n, false,
                &(struct pane_column){.head = head, .width = (int)strlen(head) + 1, .right = true});
        }
    list_add_names(l, KEY_NAME, LIST_NO_KEY);
}

static bool is_own(const struct list *l, size_t item)
{
    const struct time_table *t = table_of(l);
    const struct time_row *row = &t->rows[item];

    return t->is_own || (row->side == DIFF_NEW && l->view.data->crates.own[row->spot.function]);
}

static const struct list_class list_class = {
    .name = name_of, .value = value_of, .text = text_of, .columns = columns, .own = is_own};

static enum look look_of(const struct time_table *t, const struct time_row *row)
{
    if (time_is_noise(t, row))
        return LOOK_DIM;
    return time_extra(t, row) > 0 ? LOOK_MORE : LOOK_LESS;
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct time_list *c = pane->view;
    const struct time_table *t = table_of(&c->list);
    const struct time_row *row = &t->rows[c->list.shown[i]];
    const struct data *d = c->list.view.data;
    int at = 0;
    struct cell place = cell_spot(t->profile[row->side], &row->spot, d->root);

    for (enum time_number n = 0; n < TIME_NUMBERS; n++)
        if (is_shown(t, n)) {
            struct cell cell = time_number_cell(t, row, n);

            cells->text[at] = cell_clean_text(&cell, COUNT_FULL);
            cell_free(&cell);
            cells->look[at++] = n == TIME_EXTRA ? look_of(t, row) : LOOK_TEXT;
        }
    cells->text[at] = text_clean(time_row_name(t, row));
    cells->look[at++] =
        row->side == DIFF_NEW ? data_name_look(d, row->spot.function, false) : LOOK_TEXT;
    cells->text[at] = cell_clean_text(&place, COUNT_FULL);
    cells->look[at] = LOOK_DIM;
    cell_free(&place);
}

/*--- The view ---*/

static char *title(const struct view *view)
{
    return time_heading_text(table_of((const void *)view));
}

/* The data's row of the selected function; SIZE_MAX: none, or it has no samples. */
static size_t selected_row(const struct view *view)
{
    size_t item = list_selected(view);
    const struct time_row *row =
        item == SIZE_MAX ? NULL : &table_of((const void *)view)->rows[item];

    return row && row->side == DIFF_NEW ? data_row_of(view->data, row->spot.function) : SIZE_MAX;
}

static struct place selected_place(const struct view *view)
{
    size_t item = list_selected(view);

    if (selected_row(view) == SIZE_MAX)
        return (struct place){NULL, 0};
    return data_place_at(view->data, &table_of((const void *)view)->rows[item].spot);
}

static bool act(struct view *view, enum action action)
{
    struct time_list *c = (void *)view;

    switch (action) {
    case ACTION_OPEN:
        if (selected_row(view) == SIZE_MAX && view->panes[0].n)
            browser_say(view->browser, "this function has no samples");
        else
            browser_open_function(view->browser, selected_row(view));
        return true;
    case ACTION_TIME:
        if (!c->tables[TABLE_OWN].n)
            return true;
        c->shown_table = !c->shown_table;
        list_renew(&c->list, table_of(&c->list)->n);
        return true;
    default:
        return list_act(view, action);
    }
}

static void free_view(struct view *view)
{
    struct time_list *c = (void *)view;

    list_free(&c->list);
    time_table_free(&c->tables[TABLE_OWN]);
    time_table_free(&c->tables[TABLE_FUNCTIONS]);
    free(c);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "calls"},      {ACTION_SOURCE, "source"}, {ACTION_TIME, "own, all"},
    {ACTION_SORT_RIGHT, "sort"}, {ACTION_FILTER, "filter"}, {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = list_update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .row = selected_row,
                                        .place = selected_place,
                                        .free = free_view};

static void load_own(struct time_list *c, struct data *d, const struct browser_input *input)
{
    struct source_finder finder = {
        .root = input->sources->root, .maps = input->sources->maps, .program = input->old->program};
    struct crates crates;

    crates_load(&crates, input->old, input->packages, &finder);
    time_table_load_own(&c->tables[TABLE_OWN], input->old, d->profile,
                        (const struct crates *[DIFF_SIDES]){&crates, &d->crates}, false);
    source_finder_free(&finder);
    crates_free(&crates);
}

struct view *view_time(struct browser *browser, struct data *data,
                       const struct browser_input *input)
{
    char *problem = time_problem(input->old, data->profile);
    struct time_list *c;

    free(problem);
    if (problem)
        return NULL;
    c = list_new(sizeof *c, &class, browser, data, line, "no function has that name");
    load_own(c, data, input);
    time_table_load(&c->tables[TABLE_FUNCTIONS], input->old, data->profile, false);
    for (int i = 0; i < 2; i++)
        time_table_name(&c->tables[i], (enum name_style)input->name_style);
    c->shown_table = c->tables[TABLE_OWN].n ? TABLE_OWN : TABLE_FUNCTIONS;
    c->list.sort = (int)TIME_EXTRA;
    list_begin(&c->list, &list_class, table_of(&c->list)->n);
    return &c->list.view;
}
