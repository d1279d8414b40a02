#include <config.h>

/* Which data misses: rows that unfold to the lines of code that miss in them, as the table of data
 * has them. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/data_table.h"
#include "render/text/text.h"
#include "table/data_rows.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Keys from 0 on are figures, and then the table's columns. */
enum {
    WHERE_LEAST = 14,
    TYPE_LEAST = 15,
    IN_LEAST = 16,
    IN_ROOM = 2 * IN_LEAST,
    KIND_WIDTH = 11,
    NAME_LEAST = 14
};

/* Items are rows of the table, and behind them its touches. */
struct data_list {
    struct list list;
    struct data_table table;
    struct data_view shown; /* the subject of the columns */
    bool loaded;
    bool *open;       /* by datum of the profile, of the row that it stands for */
    uint32_t *row_of; /* by touch of the table: its row */
    char **names;     /* by row: all that the filter looks in; NULL: not made yet */
    struct figures figures;
    int names_width; /* of the widest name */
    bool has_within; /* the column of functions that miss for others is shown */
};

static const struct data_row *row_at(const struct data_list *v, size_t item)
{
    return &v->table.rows[item < v->table.n ? item : v->row_of[item - v->table.n]];
}

/* NULL: the item is a row. */
static const struct data_touch *touch_at(const struct data_list *v, size_t item)
{
    return item < v->table.n ? NULL : &v->table.touches[item - v->table.n];
}

/* A row's data is alike in all profiles of one run: it stays the same when the rows are loaded
 * anew. */
static bool *open_of(const struct data_list *v, size_t item)
{
    return &v->open[row_at(v, item)->datum - v->table.profile->data];
}

/*--- Rows ---*/

static void free_names(struct data_list *v)
{
    for (size_t i = 0; v->names && i < v->table.n; i++)
        free(v->names[i]);
    free(v->names);
    v->names = NULL;
}

static void unload(struct data_list *v)
{
    free_names(v);
    if (v->loaded)
        data_table_free(&v->table);
}

static void widen_names(struct data_list *v, char *name)
{
    int width = data_bare_width(name);

    v->names_width = width > v->names_width ? width : v->names_width;
    free(name);
}

/* Measures the names of data, and of functions that miss, each once. */
static void measure_names(struct data_list *v)
{
    const struct data *d = v->list.view.data;
    bool *measured = xcalloc(d->profile->n_functions + (size_t)1, sizeof *measured);

    for (size_t i = 0; i < v->table.n; i++) {
        const struct data_row *row = &v->table.rows[i];

        widen_names(v, data_clean(data_row_name(d->profile, row)));
        for (size_t k = 0; k < row->n; k++) {
            uint32_t function = row->touches[k].spot.function;

            if (!measured[function])
                widen_names(v, data_function_name(d, function));
            measured[function] = true;
        }
    }
    free(measured);
}

static void load(struct data_list *v)
{
    struct data *d = v->list.view.data;
    struct data_table *t = &v->table;
    struct data_item all = {.misses = t->misses, .use = &t->use};

    unload(v);
    data_table_load(t, data_callers(d), data_measure_of(data_self(d)->name));
    v->loaded = true;
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->rows[i].n; k++)
            v->row_of[&t->rows[i].touches[k] - t->touches] = (uint32_t)i;
    v->shown = (struct data_view){.table = t, .root = d->root};
    figures_begin(&v->figures, &v->shown, data_table_columns,
                  d->profile->has_line_use ? DATA_NUMBERS : DATA_USED);
    figures_widen(&v->figures, &all);
}

/*--- Order ---*/

/* The names of the data, of its type, and of all functions that miss in it. */
static char *all_names(const struct cprof_profile *p, const struct data_row *row)
{
    char *name = data_row_name(p, row);
    struct strbuf all = {.text = NULL};

    strbuf_addf(&all, "%s\n%s", name, row->type == CPROF_NONE ? "" : p->types[row->type].name);
    for (size_t i = 0; i < row->n; i++)
        strbuf_addf(&all, "\n%s\n%s", p->functions[row->touches[i].spot.function].name,
                    p->functions[row->touches[i].within].name);
    free(name);
    return strbuf_take(&all);
}

static const char *name_of(const struct list *l, size_t item)
{
    struct data_list *v = (void *)l;

    if (!v->names)
        v->names = xcalloc(v->table.n + 1, sizeof *v->names);
    if (!v->names[item])
        v->names[item] = all_names(v->table.profile, &v->table.rows[item]);
    return v->names[item];
}

static long double value_of(const struct list *l, size_t item)
{
    const struct data_list *v = (const void *)l;
    struct data_item it = data_item_of(&v->table.rows[item], NULL);

    return figures_order(&v->figures, &it, l->sort);
}

static const char *text_of(const struct list *l, size_t item)
{
    const struct data_list *v = (const void *)l;
    const struct cprof_profile *p = v->table.profile;
    const struct data_row *row = &v->table.rows[item];

    switch (l->sort) {
    case DATA_KIND:
        return cprof_data_kind_name(row->datum->kind);
    case DATA_AT:
        return row->spot.file != CPROF_NONE ? p->files[row->spot.file]
               : row->datum->path           ? row->datum->path
                                            : "";
    case DATA_TYPE:
        return row->type == CPROF_NONE ? "" : p->types[row->type].name;
    case DATA_BY:
        return name_of(l, item);
    default:
        return NULL; /* the table's order */
    }
}

static int compare(const struct list *l, size_t a, size_t b)
{
    const struct data_list *v = (const void *)l;
    uint32_t x = v->table.rows[a].spot.line, y = v->table.rows[b].spot.line;

    return l->sort == DATA_AT ? (x > y) - (x < y) : 0;
}

static size_t below(const struct list *l, size_t item, size_t *first)
{
    const struct data_list *v = (const void *)l;
    const struct data_row *row = &v->table.rows[item];

    if (!*open_of(v, item) || !row->n)
        return 0;
    *first = v->table.n + (size_t)(row->touches - v->table.touches);
    return row->n;
}

/*--- Columns ---*/

static void add_text(struct list *l, int column, int width, int share, enum text_cut cut)
{
    list_add(l, column == DATA_IN ? LIST_NO_KEY : column, true,
             &(struct pane_column){.head = data_table_columns[column].heading,
                                   .width = width,
                                   .share = share,
                                   .cut = cut});
}

/* Names are whole where a third of the screen has room for them. Where there is least room, types
 * and places go before names. */
static void columns(struct list *l)
{
    struct data_list *v = (void *)l;
    int third = COLS / 3 > NAME_LEAST ? COLS / 3 : NAME_LEAST;
    int names = v->names_width < third ? v->names_width : third;
    int texts = KIND_WIDTH + names + WHERE_LEAST + TYPE_LEAST + 3, share;

    v->has_within = figures_fit(&v->figures, texts, IN_ROOM);
    figures_columns(&v->figures, l);
    share = texts <= figures_room(&v->figures) ? 2 : 0;
    add_text(l, DATA_KIND, KIND_WIDTH, 0, TEXT_CUT_END);
    add_text(l, DATA_BY, share ? names : NAME_LEAST / 2, 1, TEXT_CUT_NAME);
    add_text(l, DATA_AT, WHERE_LEAST, share, TEXT_CUT_PLACE);
    add_text(l, DATA_TYPE, TYPE_LEAST, share, TEXT_CUT_END);
    if (v->has_within)
        add_text(l, DATA_IN, IN_LEAST, share, TEXT_CUT_NAME);
}

static const struct list_class list_class = {.name = name_of,
                                             .value = value_of,
                                             .text = text_of,
                                             .compare = compare,
                                             .columns = columns,
                                             .below = below};

static const char *sign_of(const struct data_list *v, size_t item)
{
    static const char *const signs[2][2] = {{"+ ", "- "}, {"▸ ", "▾ "}};

    return v->table.rows[item].n ? signs[text_is_utf8()][*open_of(v, item)] : "  ";
}

static void row_line(const struct data_list *v, size_t item, struct pane_cells *cells, int at)
{
    const struct data *d = v->list.view.data;
    const struct data_row *row = &v->table.rows[item];

    cells->sign[at] = sign_of(v, item);
    cells->text[at] = xstrdup(cprof_data_kind_name(row->datum->kind));
    cells->look[at++] = LOOK_BOLD;
    cells->text[at] = data_clean(data_row_name(d->profile, row));
    cells->look[at++] =
        row->spot.function == CPROF_NONE ? LOOK_BOLD : data_name_look(d, row->spot.function, false);
    cells->text[at++] = data_clean(data_row_place(d->profile, row, d->root));
    cells->text[at] = data_clean(data_row_type(d->profile, row));
    cells->look[at] = LOOK_BOLD;
}

static void touch_line(const struct data_list *v, size_t item, struct pane_cells *cells, int at)
{
    const struct data *d = v->list.view.data;
    const struct data_touch *t = touch_at(v, item);
    char *name;

    at++; /* it is below the kind */
    cells->text[at] = data_function_name(d, t->spot.function);
    cells->look[at++] = data_name_look(d, t->spot.function, false);
    cells->text[at++] = data_spot(d, &t->spot);
    cells->text[at++] = data_clean(data_row_offsets(d->profile, row_at(v, item), t));
    if (!v->has_within)
        return;
    name = data_function_name(d, t->within);
    cells->text[at] = data_touch_within(t, name);
    free(name);
    cells->look[at] = data_name_look(d, t->within, false);
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct data_list *v = pane->view;
    size_t item = v->list.shown[i];
    const struct data_row *row = row_at(v, item);
    const struct data_touch *t = touch_at(v, item);
    struct data_item it = data_item_of(row, t);
    int at = 0;

    figures_texts(&v->figures, &it, cells, &at, t ? LOOK_TEXT : LOOK_BOLD);
    if (t)
        touch_line(v, item, cells, at);
    else
        row_line(v, item, cells, at);
}

/*--- The view ---*/

/* By another measure, rows and what is below them have another order. The selection stays with its
 * data. */
static void update(struct view *view)
{
    struct data_list *v = (void *)view;
    size_t item = list_selected(view);
    const struct cprof_datum *datum = item == SIZE_MAX ? NULL : row_at(v, item)->datum;

    if (v->table.measure == data_measure_of(data_self(view->data)->name)) {
        list_update(view);
        return;
    }
    load(v);
    list_renew(&v->list, v->table.n);
    for (size_t i = 0; i < v->table.n && datum; i++)
        if (v->table.rows[i].datum == datum)
            list_select(&v->list, i);
}

static const struct code_spot *selected(const struct view *view)
{
    const struct data_list *v = (const void *)view;
    size_t item = list_selected(view);
    const struct data_touch *t = item == SIZE_MAX ? NULL : touch_at(v, item);

    return item == SIZE_MAX ? NULL : t ? &t->spot : &row_at(v, item)->spot;
}

static size_t selected_row(const struct view *view)
{
    const struct code_spot *spot = selected(view);

    return spot ? data_row_of(view->data, spot->function) : SIZE_MAX;
}

static struct place selected_place(const struct view *view)
{
    return data_place_at(view->data, selected(view));
}

static char *title(const struct view *view)
{
    const struct data_list *v = (const void *)view;

    return xasprintf("data by misses of %s: %s of %s; D1 %s, LL %s",
                     v->table.measure == DATA_D1 ? "D1" : "LL", TEXT_COUNT(list_n_found(&v->list)),
                     TEXT_COUNT(v->table.n), TEXT_COUNT(data_row_misses(v->table.misses, DATA_D1)),
                     TEXT_COUNT(data_row_misses(v->table.misses, DATA_LL)));
}

static void set_open(struct data_list *v, size_t item, bool open)
{
    if (item >= v->table.n) { /* its row */
        list_select(&v->list, v->row_of[item - v->table.n]);
        return;
    }
    *open_of(v, item) = open;
    list_show(&v->list);
}

/* Opens or closes a row, or goes on to the line that misses. */
static void open_selected(struct data_list *v, size_t item)
{
    struct view *view = &v->list.view;

    if (item < v->table.n)
        set_open(v, item, !*open_of(v, item));
    else
        browser_open_line(view->browser, selected_row(view), selected_place(view));
}

static bool act(struct view *view, enum action action)
{
    struct data_list *v = (void *)view;
    size_t item = list_selected(view);

    switch (action) {
    case ACTION_OPEN:
        if (item != SIZE_MAX)
            open_selected(v, item);
        return true;
    case ACTION_EXPAND:
    case ACTION_COLLAPSE:
        if (item < v->table.n || (item != SIZE_MAX && action == ACTION_COLLAPSE))
            set_open(v, item, action == ACTION_EXPAND);
        return true;
    case ACTION_DATA:
        return true;
    default:
        return list_act(view, action);
    }
}

static void free_view(struct view *view)
{
    struct data_list *v = (void *)view;

    unload(v);
    list_free(&v->list);
    free(v->open);
    free(v->row_of);
    free(v);
}

static bool suits(const struct column *measure)
{
    return data_is_event(measure->name);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "open, source"}, {ACTION_CALLERS, "callers"}, {ACTION_OWN, "code"},
    {ACTION_HEAP, "heap"},         {ACTION_CURVES, "curves"},   {ACTION_FILTER, "filter"},
    {ACTION_EVENT, "D1, LL"},      {ACTION_ESCAPE, "back"},     {ACTION_SORT_RIGHT, "sort"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .head = list_head,
                                        .filter = list_filter,
                                        .suits = suits,
                                        .row = selected_row,
                                        .place = selected_place,
                                        .free = free_view};

struct view *view_data(struct browser *browser, struct data *data)
{
    struct data_list *v = list_new(sizeof *v, &class, browser, data, line, "no data has that name");

    v->open = xcalloc(data->profile->n_data + (size_t)1, sizeof *v->open);
    v->row_of = xcalloc(data->profile->n_touches + (size_t)1, sizeof *v->row_of);
    load(v);
    measure_names(v);
    if (v->table.n)
        *open_of(v, 0) = true;
    list_begin(&v->list, &list_class, v->table.n);
    return &v->list.view;
}
