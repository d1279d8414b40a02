#include <config.h>

/* The list of functions, and costs by crate, file or object. */
#include "base/memory.h"
#include "calls/graph.h"
#include "names/location.h"
#include "names/object_name.h"
#include "render/text/text.h"
#include "table/groups.h"
#include "table/search.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Ids from RATIO on are columns of ratios, which a screen of so many columns has room for. */
enum column_id { SELF, INCLUSIVE, CALLS, NAME, PLACE, RATIO };
enum { RATIO_WIDTH = 9, RATIOS_FROM = 100, GROUP_LEAST = 16 };

/*--- Columns: rows are struct row ---*/

/* An inclusive cost. */
static struct cell bound_cell(const void *data, const void *row, const struct table_column *c)
{
    const struct row *r = row;
    struct cell cell = cell_count(column_value(c->shows, r->counts));

    (void)data;
    cell.about = r->bound == BOUND_LEAST;
    return cell;
}

static struct cell cell_of(const void *data, const void *row, const struct table_column *c)
{
    const struct browsed *d = data;
    const struct row *r = row;

    switch (c->id) {
    case CALLS:
        return browsed_calls(d, r);
    case NAME:
        return cell_take(row_label(r, false, NULL));
    case PLACE:
        return cell_take(location_text(r->file, r->line, r->object, d->root));
    default:
        return cell_ratio(r, c->shows);
    }
}

static bool has_bounds(const struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->items[i].bound == BOUND_LEAST)
            return true;
    return false;
}

/* Adds inclusive costs, with room for the mark of a lower bound where a row has one. */
static void add_inclusive(struct list *l, const struct column *column, const struct rows *rows)
{
    struct pane *p = &l->view.panes[0];
    struct table_column c = pane_table_cost_column(column, "Inclusive", INCLUSIVE);
    int first = p->n_columns, width = browsed_width(l->view.browsed) + 1;

    c.cell = bound_cell;
    pane_table_add_cost(&l->drawn, &c, false);
    if (browsed_numbers(l->view.browsed) != NUMBERS_PERCENT && p->columns[first].width < width &&
        has_bounds(rows))
        p->columns[first].width = width;
}

static void add_cost(struct list *l, const struct column *self, bool bar)
{
    struct table_column c = pane_table_cost_column(self, self->header, SELF);

    pane_table_add_cost(&l->drawn, &c, bar);
}

/*--- Functions ---*/

struct function_list {
    struct list list;
    size_t *rows; /* by item */
    size_t n;
    char *group; /* the group's name; NULL: the program */
};

static struct pane_row function_item(const struct list *l, size_t i)
{
    const struct row *r = &l->view.browsed->rows.items[((const struct function_list *)l)->rows[i]];
    struct pane_row item = pane_row_of(r, r);

    if (!item.file)
        item.file = r->object;
    return item;
}

static void add_calls(struct list *l)
{
    const struct browsed *d = l->view.browsed;
    char calls[TEXT_NUMBER];
    int width = (int)strlen(text_count(calls, d->rows.totals[2 * d->profile->n_events]));

    add_inclusive(l, browsed_inclusive(d), &d->rows);
    pane_table_add(&l->drawn,
                   &(struct table_column){"Calls", TABLE_VALUE, .cell = cell_of, .id = CALLS},
                   width < 7 ? 7 : width, 0, TEXT_CUT_MIDDLE);
}

static void function_columns(struct list *l)
{
    const struct browsed *d = l->view.browsed;

    pane_table_begin(&l->drawn, d);
    l->drawn.dim_places = true;
    add_cost(l, browsed_self(d), browsed_has_bars());
    if (d->has_calls)
        add_calls(l);
    for (size_t i = 0; i < d->columns.n && COLS >= RATIOS_FROM; i++)
        if (column_is_ratio(&d->columns.items[i]))
            pane_table_add(&l->drawn,
                           &(struct table_column){d->columns.items[i].header, TABLE_RATIO,
                                                  .cell = cell_of, .id = RATIO + (int)i,
                                                  .shows = &d->columns.items[i]},
                           RATIO_WIDTH, 0, TEXT_CUT_MIDDLE);
    pane_table_add_names(
        &l->drawn, &(struct table_column){"Function", TABLE_NAME, .cell = cell_of, .id = NAME},
        browsed_has_own_code(d) ? 1 : 3, /* names of own code have what they need */
        &(struct table_column){"Location", TABLE_PLACE, .cell = cell_of, .id = PLACE});
}

static char *function_title(const struct view *view)
{
    const struct function_list *f = (const void *)view;
    const char *by[RATIO] = {browsed_self(view->browsed)->name, "inclusive", "calls", "name",
                             "location"};
    int sort = f->list.sort;
    const char *key = sort < RATIO ? by[sort] : view->browsed->columns.items[sort - RATIO].name;

    return xasprintf("functions%s%s by %s%s: %s of %s%s", f->group ? " of " : "",
                     f->group ? f->group : "", sort == SELF ? "own " : "", key,
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(f->list.n),
                     view->browsed->own_only ? ", own code" : "");
}

static void open_function(struct list *l, size_t i)
{
    (void)i;
    browser_open_function(l->view.browser, list_row(&l->view), "no function is known here");
}

static size_t count_functions(struct list *l)
{
    return ((struct function_list *)l)->n;
}

static void free_functions(struct list *l)
{
    struct function_list *f = (void *)l;

    free(f->rows);
    free(f->group);
}

static const struct key_hint function_hints[] = {
    {ACTION_OPEN, "calls"},        {ACTION_SOURCE, "source"}, {ACTION_TREE, "tree"},
    {ACTION_OWN_ONLY, "own only"}, {ACTION_FILTER, "filter"}, {ACTION_ESCAPE, "back"},
    {ACTION_SECTIONS, "sections"}, {ACTION_NONE, NULL},
};

static const struct view_class function_view = {LIST_VIEW(function_hints), .title = function_title,
                                                .act = list_act};

static const struct list_class function_class = {.item = function_item,
                                                 .load = count_functions,
                                                 .columns = function_columns,
                                                 .open = open_function,
                                                 .unload = free_functions,
                                                 .is_all_code = true,
                                                 .self = SELF,
                                                 .inclusive = INCLUSIVE};

/* The functions that `members` (by row) has; `group` is the name of the group. */
static struct view *view_functions_of(struct browser *browser, struct browsed *browsed,
                                      const bool *members, const char *group)
{
    struct function_list *f = list_make(sizeof *f, &function_view, &function_class, browser,
                                        browsed, "no function has that name");

    f->group = group ? xstrdup(group) : NULL;
    f->rows = xreallocarray(NULL, browsed->rows.n, sizeof *f->rows);
    for (size_t i = 0; i < browsed->rows.n; i++)
        if (!members || members[i])
            f->rows[f->n++] = i;
    return list_start(&f->list);
}

struct view *view_functions(struct browser *browser, struct browsed *browsed)
{
    return view_functions_of(browser, browsed, NULL, NULL);
}

/*--- Groups ---*/

/* Items are rows. */
struct group_list {
    struct list list;
    enum group_by by;
    struct columns columns; /* of the profile */
    struct rows rows;
};

static char *group_name(const struct group_list *g, const struct row *row)
{
    return g->by == GROUP_FILE ? location_path(row->name, g->list.view.browsed->root)
                               : xstrdup(row->name);
}

static struct cell group_cell(const void *list, const void *row, const struct table_column *c)
{
    (void)c;
    return cell_take(group_name(list, row));
}

static struct pane_row group_item(const struct list *l, size_t i)
{
    const struct group_list *g = (const void *)l;
    const struct row *r = &g->rows.items[i];

    return (struct pane_row){.row = r,
                             .name = r->name,
                             .function = CPROF_NONE,
                             .look = g->by == GROUP_CRATE
                                         ? LOOK_OWN + (enum look)origin_of((enum owner)r->owner)
                                         : LOOK_TEXT};
}

static const char *group_head(enum group_by by)
{
    return by == GROUP_CRATE ? "Crate" : by == GROUP_FILE ? "File" : "Object";
}

/* The first event, where groups have none of the measure. */
static void group_columns(struct list *l)
{
    struct group_list *g = (void *)l;
    const struct column *self = columns_find(&g->columns, browsed_self(l->view.browsed)->name);
    const struct column *inclusive;

    self = self ? self : g->columns.items;
    inclusive = columns_inclusive(&g->columns, self);
    if (!inclusive && l->sort == INCLUSIVE)
        l->sort = l->drawn.sort = SELF;
    pane_table_begin(&l->drawn, g);
    add_cost(l, self, false);
    if (inclusive)
        add_inclusive(l, inclusive, &g->rows);
    pane_table_add(
        &l->drawn,
        &(struct table_column){group_head(g->by), TABLE_NAME, .cell = group_cell, .id = NAME},
        GROUP_LEAST, 1, g->by == GROUP_CRATE ? TEXT_CUT_MIDDLE : TEXT_CUT_PLACE);
}

static void free_groups(struct list *l)
{
    struct group_list *g = (void *)l;

    columns_free(&g->columns);
    rows_free(&g->rows);
}

static size_t load_groups(struct list *l)
{
    struct group_list *g = (void *)l;
    const struct cprof_profile *profile = l->view.browsed->profile;

    free_groups(l);
    columns_load(&g->columns, groups_events(events_of(profile), g->by));
    groups_load(&g->rows, profile, &l->view.browsed->crates, g->by);
    return g->rows.n;
}

/*--- Which functions a group has ---*/

/* Finds the files of the profile that are shown under the name. */
static bool *files_of(const struct group_list *g, const char *name)
{
    const struct cprof_profile *p = g->list.view.browsed->profile;
    bool *same = xcalloc((size_t)p->n_files + 1, sizeof *same);
    char *path = location_path(name, NULL);

    for (uint32_t i = 0; i < p->n_files; i++) {
        char *other = location_path(p->files[i], NULL);

        same[i] = strcmp(path, other) == 0;
        free(other);
    }
    free(path);
    return same;
}

/* Finds the rows with costs in the file; of code without a file, those of its object. */
static void find_by_file(const struct group_list *g, const struct row *group, bool *members)
{
    const struct browsed *d = g->list.view.browsed;
    const struct cprof_profile *p = d->profile;
    uint32_t object = p->functions[group->function].object;
    bool *same = files_of(g, group->name);

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        uint32_t row = d->row_of[c->function];
        bool known = c->file != CPROF_NONE && strcmp(p->files[c->file], UNNAMED) != 0;

        if (row != CPROF_NONE &&
            (known ? same[c->file] : !group->file && p->functions[c->function].object == object))
            members[row] = true;
    }
    free(same);
}

/* Finds the rows with a function in the group: in some profiles a row is several functions. */
static bool *members_of(const struct group_list *g, const struct row *group)
{
    const struct browsed *d = g->list.view.browsed;
    const struct cprof_profile *p = d->profile;
    bool *members = xcalloc(d->rows.n + 1, sizeof *members);

    if (g->by == GROUP_FILE)
        find_by_file(g, group, members);
    for (uint32_t i = 0; i < p->n_functions && g->by != GROUP_FILE; i++) {
        bool same = g->by == GROUP_CRATE
                        ? d->crates.of_function[i] == d->crates.of_function[group->function]
                        : p->functions[i].object == p->functions[group->function].object;

        if (same && d->row_of[i] != CPROF_NONE)
            members[d->row_of[i]] = true;
    }
    return members;
}

static char *group_title(const struct view *view)
{
    const struct group_list *g = (const void *)view;
    const char *by[] = {
        [SELF] = browsed_self(view->browsed)->name, [INCLUSIVE] = "inclusive", [NAME] = "name"};

    return xasprintf("%s by %s%s: %s of %s", group_word(g->by, true),
                     g->list.sort == SELF ? "own " : "", by[g->list.sort],
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(g->rows.n));
}

static void open_group(struct list *l, size_t i)
{
    const struct group_list *g = (const void *)l;
    const struct row *group = &g->rows.items[i];
    bool *members = members_of(g, group);
    char *name = browsed_clean(group_name(g, group));

    browser_open(l->view.browser,
                 view_functions_of(l->view.browser, l->view.browsed, members, name));
    free(members);
    free(name);
}

static bool act_on_groups(struct view *view, enum action action)
{
    struct group_list *g = (void *)view;

    if (action != ACTION_GROUP)
        return list_act(view, action);
    if (g->by == GROUP_OBJECT) {
        browser_open(view->browser, view_functions(view->browser, view->browsed));
        return true;
    }
    g->by = g->by == GROUP_CRATE ? GROUP_FILE : GROUP_OBJECT;
    list_reload(&g->list);
    return true;
}

static const struct key_hint group_hints[] = {
    {ACTION_OPEN, "functions"}, {ACTION_GROUP, "other groups"}, {ACTION_INCLUSIVE, "inclusive"},
    {ACTION_FILTER, "filter"},  {ACTION_ESCAPE, "back"},        {ACTION_NONE, NULL},
};

static const struct view_class group_view = {LIST_VIEW(group_hints), .title = group_title,
                                             .act = act_on_groups};

static const struct list_class group_class = {.item = group_item,
                                              .load = load_groups,
                                              .columns = group_columns,
                                              .open = open_group,
                                              .unload = free_groups,
                                              .by_name = true,
                                              .self = SELF,
                                              .inclusive = INCLUSIVE};

struct view *view_groups(struct browser *browser, struct browsed *browsed)
{
    struct group_list *g =
        list_make(sizeof *g, &group_view, &group_class, browser, browsed, "none has that name");

    g->by = GROUP_CRATE;
    return list_start(&g->list);
}
