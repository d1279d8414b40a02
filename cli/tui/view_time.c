#include <config.h>

/* Exact counts beside samples: own code with what other code cost for it, or all functions. */
#include "diff/time_rows.h"
#include "render/text/time_table.h"
#include "table/own.h"
#include "tui/browser.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdlib.h>

/* Items are rows of the table on the screen. */
struct time_list {
    struct list list;
    struct time_table tables[2]; /* of own code, of all functions */
    struct time_view shown;      /* the table on the screen, the subject of the columns */
};

enum { TABLE_OWN, TABLE_FUNCTIONS };

static struct pane_row item(const struct list *l, size_t i)
{
    const struct time_table *t = ((const struct time_list *)l)->shown.table;
    const struct time_row *row = &t->rows[i];
    bool is_new = row->side == DIFF_NEW;

    return (struct pane_row){
        .row = row,
        .name = time_row_name(t, row),
        .function = is_new ? row->spot.function : CPROF_NONE,
        .file = row->spot.file == CPROF_NONE ? NULL : t->profile[row->side]->files[row->spot.file],
        .line = row->spot.line,
        .is_own = t->is_own,
        .opens_there = is_new};
}

static size_t load(struct list *l)
{
    return ((struct time_list *)l)->shown.table->n;
}

static void columns(struct list *l)
{
    struct time_list *c = (void *)l;

    pane_table_begin(&l->drawn, &c->shown);
    l->drawn.dim_places = true;
    time_view_add_columns(&c->shown, &l->drawn.table);
    list_fit(l);
}

/*--- The view ---*/

static char *title(const struct view *view)
{
    return time_heading_text(((const struct time_list *)view)->shown.table);
}

/* A function that samples lack has no row. */
static void open(struct list *l, size_t i)
{
    (void)i;
    browser_open_function(l->view.browser, list_row(&l->view), "this function has no samples");
}

static bool act(struct view *view, enum action action)
{
    struct time_list *c = (void *)view;

    if (action != ACTION_TIME)
        return list_act(view, action);
    if (c->tables[TABLE_OWN].n) {
        c->shown.table = &c->tables[c->shown.table == c->tables];
        list_reload(&c->list);
    }
    return true;
}

static void unload(struct list *l)
{
    struct time_list *c = (void *)l;

    time_table_free(&c->tables[TABLE_OWN]);
    time_table_free(&c->tables[TABLE_FUNCTIONS]);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "calls"},      {ACTION_SOURCE, "source"}, {ACTION_TIME, "own, all"},
    {ACTION_SORT_RIGHT, "sort"}, {ACTION_FILTER, "filter"}, {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW(hints), .title = title, .act = act};

static const struct list_class list_class = {.item = item,
                                             .load = load,
                                             .columns = columns,
                                             .open = open,
                                             .unload = unload,
                                             .is_all_code = true};

static void load_own(struct time_list *c, struct browsed *d, const struct browser_input *input)
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

struct view *view_time(struct browser *browser, struct browsed *browsed,
                       const struct browser_input *input)
{
    char *problem = time_problem(input->old, browsed->profile);
    struct time_list *c;

    free(problem);
    if (problem)
        return NULL;
    c = list_make(sizeof *c, &class, &list_class, browser, browsed, "no function has that name");
    load_own(c, browsed, input);
    time_table_load(&c->tables[TABLE_FUNCTIONS], input->old, browsed->profile, false);
    for (int i = 0; i < 2; i++)
        time_table_name(&c->tables[i], (enum name_style)input->name_style);
    c->shown = (struct time_view){
        .table = &c->tables[c->tables[TABLE_OWN].n ? TABLE_OWN : TABLE_FUNCTIONS],
        .root = browsed->root};
    c->list.sort = (int)TIME_EXTRA;
    return list_start(&c->list);
}
