#include <config.h>

#include "tui/browsed.h"

#include "base/memory.h"
#include "base/process.h"
#include "calls/graph.h"
#include "names/crates.h"
#include "names/location.h"
#include "paths/startup.h"
#include "render/text/text.h"
#include "table/own.h"
#include "table/search.h"

#include <stdlib.h>
#include <string.h>

enum { PERCENT_WIDTH = 5, PERCENT_MOST = 8, LEAST_WIDTH = 7 };
enum { NAME_LEAST = 16, PLACE_LEAST = 10 };
enum {
    WIDE = 100,       /* columns of a screen */
    COUNTS_FROM = 120 /* those that have room for counts beside names */
};
static const double hot = 10, warm = 1; /* per cent of the program */

static void find_measures(struct browsed *d)
{
    d->measures = xcalloc(d->columns.n, sizeof *d->measures);
    for (size_t i = 0; i < d->columns.n; i++)
        if (column_adds_up(&d->columns.items[i]))
            d->measures[d->n_measures++] = &d->columns.items[i];
}

/* The tree of a smaller profile is made before a key is up. */
enum { MANY_CONTEXTS = 50000 };

static void *load_tree(void *data)
{
    struct browsed *d = data;

    tree_load(&d->tree, d->profile);
    return NULL;
}

/* Begins to make the tree of a large profile in the background. */
static void begin_tree(struct browsed *d)
{
    if (d->profile->n_contexts >= MANY_CONTEXTS)
        d->loads_tree = thread_begin(&d->loader, load_tree, d) == 0;
}

void browsed_load(struct browsed *d, const struct cprof_profile *profile,
                  const struct packages *packages, const char *root,
                  const struct source_finder *finder, bool threads)
{
    *d = (struct browsed){.profile = profile, .root = root, .finder = *finder, .threads = threads};
    d->finder.program = profile->program;
    rows_load_inlined(&d->rows, profile);
    columns_load(&d->columns, rows_events(&d->rows));
    find_measures(d);
    d->has_calls = rows_width(profile) > profile->n_events;
    crates_load(&d->crates, profile, packages, &d->finder);
    rows_sort(&d->rows, d->measures[0], columns_inclusive(&d->columns, d->measures[0]));
    d->marked = xcalloc(d->rows.n, sizeof *d->marked);
    d->row_of = rows_of_functions(&d->rows);
    begin_tree(d);
}

void browsed_choose_measure(struct browsed *d, const char *name)
{
    const struct column *column =
        name ? columns_find(&d->columns, name) : columns_subject(&d->columns, d->profile->subject);

    for (size_t i = 0; i < d->n_measures; i++)
        if (column && column_is_number(column) && d->measures[i] == &d->columns.items[column->self])
            d->measure = i;
}

struct tree *browsed_tree(struct browsed *d)
{
    if (d->loads_tree)
        pthread_join(d->loader, NULL);
    else if (!d->has_tree)
        load_tree(d);
    d->loads_tree = false;
    d->has_tree = true;
    return &d->tree;
}

struct tree *browsed_own_tree(struct browsed *d)
{
    if (d->has_own_tree)
        return &d->own_tree;
    d->has_own_tree = true;
    tree_copy(&d->own_tree, browsed_tree(d));
    startup_fold(&d->own_tree, d->crates.own, d->threads);
    return &d->own_tree;
}

const struct callers *browsed_callers(struct browsed *d)
{
    if (!d->callers.is)
        callers_load(&d->callers, d->profile, d->crates.own);
    return &d->callers;
}

bool browsed_has_own_code(const struct browsed *d)
{
    const bool *own = d->crates.own;

    for (size_t i = 0; i < d->rows.n; i++)
        if (own[d->rows.items[i].function])
            return true;
    return false;
}

void browsed_free(struct browsed *d)
{
    if (d->loads_tree)
        pthread_join(d->loader, NULL);
    tree_free(&d->tree);
    tree_free(&d->own_tree);
    callers_free(&d->callers);
    rows_free(&d->rows);
    crates_free(&d->crates);
    columns_free(&d->columns);
    free(d->measures);
    free(d->marked);
    free(d->row_of);
    source_finder_free(&d->finder);
    *d = (struct browsed){.profile = NULL};
}

const struct column *browsed_inclusive(const struct browsed *d)
{
    return d->has_calls ? columns_inclusive(&d->columns, browsed_self(d)) : NULL;
}

int64_t browsed_total(const struct browsed *d)
{
    return column_value(browsed_self(d), d->rows.totals);
}

char *browsed_clean(char *text)
{
    char *clean = text_clean(text);

    free(text);
    return clean;
}

char *browsed_label(const struct row *row)
{
    return browsed_clean(row_label(row, false, NULL));
}

char *browsed_name(const struct browsed *d, size_t row)
{
    return browsed_label(&d->rows.items[row]);
}

char *browsed_function_name(const struct browsed *d, uint32_t function)
{
    uint32_t row = d->row_of[function];

    return row == CPROF_NONE ? text_clean(d->profile->functions[function].name)
                             : browsed_name(d, row);
}

char *browsed_place_of(const struct browsed *d, const struct row *row)
{
    return browsed_clean(location_text(row->file, row->line, row->object, d->root));
}

char *browsed_path(const struct browsed *d, const char *path)
{
    return browsed_clean(location_path(path, d->root));
}

int browsed_bare_width(const char *name)
{
    const char *arguments = strstr(name, "::<");
    int all = (int)text_width(name), bare;
    char *begin;

    if (!arguments)
        return all;
    begin = xstrndup(name, (size_t)(arguments - name));
    bare = (int)text_width(begin) + (int)strlen("::<...>");
    free(begin);
    return bare < all ? bare : all;
}

static int own_width(struct browsed *d)
{
    const bool *own = d->crates.own;

    d->own_width = NAME_LEAST;
    for (size_t i = 0; i < d->rows.n; i++) {
        char *name;
        int width;

        if (!own[d->rows.items[i].function])
            continue;
        name = browsed_name(d, i);
        width = browsed_bare_width(name);
        if (width > d->own_width)
            d->own_width = width;
        free(name);
    }
    return d->own_width;
}

int browsed_names_width(struct browsed *d, const struct pane *pane)
{
    int room = COLS - PLACE_LEAST - 1, width = d->own_width ? d->own_width : own_width(d);

    for (int i = 0; i < pane->n_columns; i++)
        room -= pane->columns[i].width + 1;
    return width < room ? width : room > NAME_LEAST ? room : NAME_LEAST;
}

enum look browsed_heat(const struct browsed *d, int64_t value)
{
    int64_t total = browsed_total(d);
    double percent = total ? 100.0 * (double)value / (double)total : 0;

    return percent >= hot ? LOOK_HOT : percent >= warm ? LOOK_WARM : value ? LOOK_TEXT : LOOK_DIM;
}

enum look browsed_name_look(const struct browsed *d, uint32_t function, bool inlined)
{
    enum origin kind = origin_of(crates_owner(&d->crates, function));
    uint32_t row = d->row_of[function];

    if (row != CPROF_NONE && d->marked[row])
        return LOOK_MARK;
    return (inlined ? LOOK_OWN_INLINED : LOOK_OWN) + (enum look)kind;
}

int browsed_width(const struct browsed *d)
{
    char text[TEXT_NUMBER];
    int width = (int)strlen(text_count(text, browsed_total(d)));

    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

enum numbers browsed_numbers(const struct browsed *d)
{
    return d->numbers != NUMBERS_FIT ? d->numbers
           : COLS < COUNTS_FROM      ? NUMBERS_PERCENT
                                     : NUMBERS_BOTH;
}

void browsed_head(const struct browsed *d, struct pane *pane, const char *head, char sorted)
{
    struct pane_column column = {.head = head, .right = true, .sorted = sorted};
    enum numbers numbers = browsed_numbers(d);

    if (numbers == NUMBERS_PERCENT) {
        column.head = !strcmp(head, "Inclusive") ? "Incl." : head;
        column.percent = true;
        column.width = (int)strlen(column.head) + 3; /* " %", and the arrow */
        if (column.width > PERCENT_MOST) {
            column.head = "";
            column.width = PERCENT_WIDTH;
        }
        pane->columns[pane->n_columns++] = column;
        return;
    }
    column.width = browsed_width(d);
    if ((int)strlen(head) + 1 > column.width)
        column.width = (int)strlen(head) + 1;
    pane->columns[pane->n_columns++] = column;
    if (numbers == NUMBERS_BOTH)
        pane->columns[pane->n_columns++] =
            (struct pane_column){.head = "%", .right = true, .width = PERCENT_WIDTH};
}

void browsed_cells(const struct browsed *d, struct pane_cells *cells, int *at, int64_t value,
                   bool at_least)
{
    char text[TEXT_NUMBER];
    enum look look = browsed_heat(d, value);
    enum numbers numbers = browsed_numbers(d);

    if (numbers != NUMBERS_PERCENT) {
        text_count(text, value);
        cells->text[*at] = at_least ? xasprintf(">%s", text) : xstrdup(text);
        cells->look[(*at)++] = look;
        at_least = false; /* the mark stands before the count */
    }
    if (numbers != NUMBERS_COUNTS) {
        text_percent(text, value, browsed_total(d), 1);
        cells->text[*at] = at_least ? xasprintf(">%s", text) : xstrdup(text);
        cells->look[(*at)++] = look;
    }
}

/* The columns of a bar, which tell least where there is little room. */
static int bar_width(void)
{
    return COLS / (COLS < WIDE ? 16 : 10);
}

bool browsed_has_bars(void)
{
    return COLS >= WIDE;
}

void browsed_bar_head(struct pane *pane)
{
    pane->columns[pane->n_columns++] =
        (struct pane_column){.head = "", .width = bar_width(), .picture = true};
}

void browsed_bar_cell(const struct browsed *d, struct pane_cells *cells, int *at, int64_t value,
                      enum look look)
{
    int64_t total = browsed_total(d);
    double share = total > 0 && value > 0 ? (double)value / (double)total : 0;

    cells->text[*at] = screen_bar(share < 1 ? share : 1, (unsigned)bar_width());
    cells->look[(*at)++] = look;
}

struct cell browsed_calls(const struct browsed *d, const struct row *row)
{
    struct cell calls = cell_calls(row, row->counts[2 * d->profile->n_events]);

    if (!graph_has_calls(d->profile) && (calls.value || !row->inlined))
        calls.text = xstrdup("-");
    return calls;
}
