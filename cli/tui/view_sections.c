#include <config.h>

/* The sections that the program named: entries, what they cost, and what one entry costs. */
#include "base/memory.h"
#include "derive/sections.h"
#include "render/text/section_table.h"
#include "render/text/table_text.h"
#include "render/text/text.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>

/* Keys are columns of the table of sections. */
enum { NUMBER_WIDTH = 8, NAME_LEAST = 10 };

/* Items are sections of the profile. */
struct section_list {
    struct list list;
    struct section_table table; /* the subject of the columns */
};

static const struct cprof_section *section_at(const struct list *l, size_t item)
{
    return &l->view.data->profile->sections[item];
}

static struct cell cell_at(const struct list *l, size_t item, int column)
{
    const struct section_list *s = (const void *)l;
    struct section_line line = section_line(&s->table, (uint32_t)item);

    return section_columns[column].cell(&s->table, &line, &section_columns[column]);
}

static const char *name_of(const struct list *l, size_t item)
{
    return section_at(l, item)->name;
}

static long double value_of(const struct list *l, size_t item)
{
    struct cell cell = cell_at(l, item, l->sort);
    long double order = cell_order(&cell);

    cell_free(&cell);
    return order;
}

/* The column behind the last number. */
static int end_of_numbers(const struct list *l)
{
    return section_table_has_entries(data_self(l->view.data)) ? SECTION_NAME : SECTION_LEAST;
}

static void columns(struct list *l)
{
    struct section_list *s = (void *)l;

    s->table = (struct section_table){l->view.data->profile, data_self(l->view.data)};
    if (l->sort >= end_of_numbers(l) && l->sort != SECTION_NAME)
        l->sort = SECTION_COST;
    list_add_numbers(l, SECTION_COST, data_self(l->view.data)->header);
    for (int c = SECTION_ENTRIES; c < end_of_numbers(l); c++)
        list_add(l, c, false,
                 &(struct pane_column){.head = section_columns[c].heading,
                                       .width = NUMBER_WIDTH + (c == SECTION_MEAN) * 2,
                                       .right = true});
    list_add(l, SECTION_NAME, true,
             &(struct pane_column){.head = section_columns[SECTION_NAME].heading,
                                   .width = NAME_LEAST,
                                   .share = 1,
                                   .cut = TEXT_CUT_MIDDLE});
}

static const struct list_class list_class = {
    .name = name_of, .value = value_of, .text = name_of, .columns = columns};

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct section_list *s = pane->view;
    const struct list *l = &s->list;
    size_t item = l->shown[i];
    struct section_line line = section_line(&s->table, (uint32_t)item);
    int at = 0;

    data_cells(l->view.data, cells, &at, line.cost, false);
    for (int c = SECTION_ENTRIES; c < end_of_numbers(l); c++) {
        struct cell cell = cell_at(l, item, c);

        cells->text[at++] = cell_clean_text(&cell, COUNT_SHORT);
        cell_free(&cell);
    }
    cells->text[at] = text_clean(section_at(l, item)->name);
}

static char *title(const struct view *view)
{
    const struct section_list *s = (const void *)view;
    static const char *const by[SECTION_COLUMNS] = {
        [SECTION_ENTRIES] = "entries",        [SECTION_MEAN] = "cost of an entry",
        [SECTION_LEAST] = "least cost",       [SECTION_MEDIAN] = "median cost",
        [SECTION_GREATEST] = "greatest cost", [SECTION_NAME] = "name"};
    const char *key = by[s->list.sort];

    return xasprintf("sections by %s: %s of %s%s", key ? key : data_self(view->data)->name,
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(view->data->profile->n_sections),
                     view->data->profile->sections_cold ? ", caches empty at each beginning" : "");
}

/* The function that stands for the selected section in call paths; CPROF_NONE: none. */
static uint32_t selected_function(const struct view *view)
{
    const struct cprof_profile *p = view->data->profile;
    size_t item = list_selected(view);

    for (uint32_t i = 0; item != SIZE_MAX && i < p->n_functions; i++)
        if (section_of(p, i) == item)
            return i;
    return CPROF_NONE;
}

static bool act(struct view *view, enum action action)
{
    uint32_t function;

    if (action != ACTION_OPEN)
        return list_act(view, action);
    function = selected_function(view);
    if (list_selected(view) == SIZE_MAX)
        return true;
    if (!view->data->profile->n_contexts || function == CPROF_NONE)
        browser_say(view->browser, "no call paths are known of it");
    else
        browser_open(view->browser, view_tree_below(view->browser, view->data, function));
    return true;
}

static void free_view(struct view *view)
{
    struct section_list *s = (void *)view;

    list_free(&s->list);
    free(s);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "its paths"}, {ACTION_SORT_RIGHT, "sort"}, {ACTION_EVENT, "event"},
    {ACTION_FILTER, "filter"},  {ACTION_ESCAPE, "back"},     {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = list_update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .free = free_view};

struct view *view_sections(struct browser *browser, struct data *data)
{
    struct section_list *s = list_new(sizeof *s, &class, browser, data, line, "none has that name");

    list_begin(&s->list, &list_class, data->profile->n_sections);
    return &s->list.view;
}
