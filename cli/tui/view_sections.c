#include <config.h>

/* The sections that the program named: entries, what they cost, and what one entry costs. */
#include "base/memory.h"
#include "derive/sections.h"
#include "render/text/section_table.h"
#include "render/text/text.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>

enum key { KEY_COST, KEY_ENTRIES, KEY_MEAN, KEY_LEAST, KEY_MEDIAN, KEY_GREATEST, KEY_NAME };
enum { NUMBER_WIDTH = 8, NAME_LEAST = 10 };

/* Items are sections of the profile. */
struct section_list {
    struct list list;
    bool has_entries; /* the measure is that of the costs of single entries */
};

static const struct cprof_section *section_at(const struct list *l, size_t item)
{
    return &l->view.data->profile->sections[item];
}

static int64_t cost_of(const struct list *l, size_t item)
{
    const struct data *d = l->view.data;

    return column_value(data_self(d), cprof_section_values(d->profile, (uint32_t)item));
}

static const char *name_of(const struct list *l, size_t item)
{
    return section_at(l, item)->name;
}

static int64_t number_of(const struct list *l, size_t item, enum key key)
{
    const struct cprof_section *s = section_at(l, item);

    return key == KEY_ENTRIES    ? (int64_t)s->began
           : key == KEY_MEAN     ? section_mean(s, cost_of(l, item))
           : key == KEY_LEAST    ? (int64_t)s->least
           : key == KEY_MEDIAN   ? (int64_t)s->median
           : key == KEY_GREATEST ? (int64_t)s->greatest
                                 : cost_of(l, item);
}

static long double value_of(const struct list *l, size_t item)
{
    return l->sort == KEY_NAME ? 0 : (long double)number_of(l, item, (enum key)l->sort);
}

static const struct {
    enum key key;
    const char *head;
} numbers[] = {{KEY_ENTRIES, "Entries"},
               {KEY_MEAN, "Per entry"},
               {KEY_LEAST, "Least"},
               {KEY_MEDIAN, "Median"},
               {KEY_GREATEST, "Greatest"}};
enum { N_NUMBERS_ALL = sizeof numbers / sizeof *numbers };

static size_t n_numbers(const struct section_list *s)
{
    return s->has_entries ? N_NUMBERS_ALL : 2;
}

static void columns(struct list *l)
{
    struct section_list *s = (void *)l;

    s->has_entries = section_table_has_entries(data_self(l->view.data));
    if (!s->has_entries && l->sort > KEY_MEAN && l->sort < KEY_NAME)
        l->sort = KEY_COST;
    list_add_numbers(l, KEY_COST, data_self(l->view.data)->header);
    for (size_t i = 0; i < n_numbers(s); i++)
        list_add(l, numbers[i].key, false,
                 &(struct pane_column){.head = numbers[i].head,
                                       .width = NUMBER_WIDTH + (numbers[i].key == KEY_MEAN) * 2,
                                       .right = true});
    list_add(l, KEY_NAME, true,
             &(struct pane_column){
                 .head = "Section", .width = NAME_LEAST, .share = 1, .cut = TEXT_CUT_MIDDLE});
}

static const struct list_class list_class = {
    .name = name_of, .value = value_of, .text = name_of, .columns = columns};

/* NULL: no entry has ended. A rounded cost has a sign before it. The caller frees it. */
static char *cell_text(const struct list *l, size_t item, enum key key)
{
    const struct cprof_section *s = section_at(l, item);
    bool rounded = key == KEY_MEDIAN && s->rounded;
    char text[TEXT_NUMBER];

    if (key >= KEY_LEAST && !s->n_spreads)
        return NULL;
    return xasprintf("%s%s",
                     !rounded        ? ""
                     : screen_utf8() ? "≈"
                                     : "~",
                     text_count_short(text, number_of(l, item, key)));
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct section_list *s = pane->view;
    const struct list *l = &s->list;
    size_t item = l->shown[i];
    int at = 0;

    data_cells(l->view.data, cells, &at, cost_of(l, item), false);
    for (size_t k = 0; k < n_numbers(s); k++)
        cells->text[at++] = cell_text(l, item, numbers[k].key);
    cells->text[at] = text_clean(section_at(l, item)->name, screen_utf8());
}

static char *title(const struct view *view)
{
    const struct section_list *s = (const void *)view;
    const char *by[] = {data_self(view->data)->name,
                        "entries",
                        "cost of an entry",
                        "least cost",
                        "median cost",
                        "greatest cost",
                        "name"};

    return xasprintf("sections by %s: %s of %s%s", by[s->list.sort], TEXT_COUNT(view->panes[0].n),
                     TEXT_COUNT(view->data->profile->n_sections),
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

static size_t no_row(const struct view *view)
{
    (void)view;
    return SIZE_MAX;
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
                                        .row = no_row,
                                        .free = free_view};

struct view *view_sections(struct browser *browser, struct data *data)
{
    struct section_list *s = xcalloc(1, sizeof *s);
    struct view *view = &s->list.view;

    *view = (struct view){.class = &class, .browser = browser, .data = data};
    view->panes[0] = (struct pane){.line = line, .view = s, .empty = "none has that name"};
    list_begin(&s->list, &list_class, data->profile->n_sections);
    return view;
}
