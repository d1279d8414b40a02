#include <config.h>

/* The sections that the program named: entries, what they cost, and what one entry costs. */
#include "base/memory.h"
#include "derive/sections.h"
#include "render/text/section_table.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>

/* Items are sections of the profile. */
struct section_list {
    struct list list;
    struct section_table table; /* the subject of the columns; no measure: it is not loaded */
    struct section_line *lines;
};

static size_t load(struct list *l)
{
    struct section_list *s = (void *)l;
    const struct cprof_profile *p = l->view.browsed->profile;

    s->table = (struct section_table){p, browsed_self(l->view.browsed)};
    s->lines = xreallocarray(s->lines, p->n_sections, sizeof *s->lines);
    for (uint32_t i = 0; i < p->n_sections; i++)
        s->lines[i] = section_line(&s->table, i);
    return p->n_sections;
}

static bool is_stale(const struct list *l)
{
    return ((const struct section_list *)l)->table.measure != browsed_self(l->view.browsed);
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct section_line *line = &((const struct section_list *)l)->lines[i];

    return (struct pane_row){
        .row = line, .name = line->section->name, .function = CPROF_NONE, .same = line->section};
}

static void columns(struct list *l)
{
    struct section_list *s = (void *)l;
    struct table_column cost = section_columns[SECTION_COST];
    int end = section_table_has_entries(s->table.measure) ? SECTION_NAME : SECTION_LEAST;

    if (l->sort >= end && l->sort != SECTION_NAME)
        l->sort = l->drawn.sort = SECTION_COST;
    cost.heading = s->table.measure->header;
    pane_table_begin(&l->drawn, &s->table);
    pane_table_add_cost(&l->drawn, &cost, false);
    for (int c = SECTION_ENTRIES; c < end; c++)
        table_column(&l->drawn.table, &section_columns[c]);
    table_column(&l->drawn.table, &section_columns[SECTION_NAME]);
    list_fit(l);
}

static char *title(const struct view *view)
{
    const struct section_list *s = (const void *)view;
    static const char *const by[SECTION_COLUMNS] = {
        [SECTION_ENTRIES] = "entries",        [SECTION_MEAN] = "cost of an entry",
        [SECTION_LEAST] = "least cost",       [SECTION_MEDIAN] = "median cost",
        [SECTION_GREATEST] = "greatest cost", [SECTION_NAME] = "name"};
    const char *key = by[s->list.sort];

    return xasprintf("sections by %s: %s of %s%s", key ? key : browsed_self(view->browsed)->name,
                     TEXT_COUNT(view->panes[0].n), TEXT_COUNT(view->browsed->profile->n_sections),
                     view->browsed->profile->sections_cold ? ", caches empty at each beginning"
                                                           : "");
}

/* The function that stands for a section in call paths; CPROF_NONE: none. */
static uint32_t function_of(const struct cprof_profile *p, size_t section)
{
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (section_of(p, i) == section)
            return i;
    return CPROF_NONE;
}

static void open(struct list *l, size_t i)
{
    struct view *v = &l->view;
    uint32_t function = function_of(v->browsed->profile, i);

    if (!v->browsed->profile->n_contexts || function == CPROF_NONE)
        browser_say(v->browser, "no call paths are known of it");
    else
        browser_open(v->browser, view_tree_below(v->browser, v->browsed, function));
}

static void unload(struct list *l)
{
    free(((struct section_list *)l)->lines);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "its paths"}, {ACTION_SORT_RIGHT, "sort"}, {ACTION_EVENT, "event"},
    {ACTION_FILTER, "filter"},  {ACTION_ESCAPE, "back"},     {ACTION_NONE, NULL},
};

static const struct view_class class = {LIST_VIEW(hints), .id = VIEW_SECTIONS, .title = title,
                                        .act = list_act};

static const struct list_class list_class = {.item = item,
                                             .load = load,
                                             .is_stale = is_stale,
                                             .columns = columns,
                                             .open = open,
                                             .unload = unload,
                                             .by_name = true};

struct view *view_sections(struct browser *browser, struct browsed *browsed)
{
    return list_start(list_make(sizeof(struct section_list), &class, &list_class, browser, browsed,
                                "none has that name"));
}
