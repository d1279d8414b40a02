#include <config.h>

/* The source of a function with its costs above, its instructions below. */
#include "base/memory.h"
#include "render/text/text.h"
#include "source/tokens.h"
#include "tui/browser_state.h"
#include "tui/code_lines.h"
#include "tui/view.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE, INSTRUCTIONS }; /* the panes */

struct source_view {
    struct view view;
    size_t row;
    bool *functions; /* a flag for each function of the profile: the row's */
    struct source_lines source;
    struct instruction_lines instructions;
    const struct column *measured; /* the measure of the source's lines */
};

static const struct code_list *list_of(const struct source_view *c, int pane)
{
    return pane == SOURCE ? &c->source.list : &c->instructions.list;
}

static const struct code_line *selected_line(const struct view *view, int pane)
{
    const struct code_list *list = list_of((const void *)view, pane);

    return view->panes[pane].selected < list->n ? &list->items[view->panes[pane].selected] : NULL;
}

/* The inclusive column of the source's lines, without call paths with what was inlined there, or
 * NULL. */
static const struct column *inclusive_of(const struct source_view *c)
{
    const struct browsed *d = c->view.browsed;

    return c->source.annotation.callees == CALLEES_NONE
               ? NULL
               : columns_inclusive(&d->columns, browsed_self(d));
}

/* The cost of a line: with all that it called, where that is known. */
static int64_t value_of(const struct source_view *c, int pane, const struct code_line *l)
{
    const struct column *inclusive = pane == SOURCE ? inclusive_of(c) : NULL;

    return l->counts
               ? column_value(inclusive ? inclusive : browsed_self(c->view.browsed), l->counts)
               : 0;
}

static enum look look_of(const struct source_view *c, int pane, const struct code_line *l)
{
    if (l->kind == CODE_HEAD)
        return LOOK_BOLD;
    if (l->kind == CODE_CALL)
        return browsed_name_look(c->view.browsed, l->function, true);
    if (l->kind == CODE_PLACE || !l->counts)
        return LOOK_DIM;
    return browsed_heat(c->view.browsed, value_of(c, pane, l)) == LOOK_HOT ? LOOK_BOLD : LOOK_TEXT;
}

/* The looks of the bytes of a line, by its tokens. The caller frees them. */
static unsigned char *looks_of(const struct code_line *l)
{
    size_t size = l->tokens ? strlen(l->text) : 0;
    unsigned char *looks = size ? xmalloc(size) : NULL;

    for (size_t i = 0; i < size; i++)
        looks[i] = l->tokens[i] == TOKEN_PLAIN ? 0 : (unsigned char)(LOOK_TOKENS + l->tokens[i]);
    return looks;
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct source_view *c = pane->view;
    const struct browsed *d = c->view.browsed;
    int number = (int)(pane - c->view.panes), at = 0;
    const struct code_line *l = &list_of(c, number)->items[i];

    if (l->counts)
        browsed_cells(d, cells, &at, column_value(browsed_self(d), l->counts), false);
    if (l->counts && number == SOURCE && inclusive_of(c))
        browsed_cells(d, cells, &at, value_of(c, number, l), false);
    if (l->kind == CODE_SOURCE && l->counts && number == SOURCE && browsed_has_bars())
        browsed_bar_cell(d, cells, &at, value_of(c, number, l),
                         browsed_heat(d, value_of(c, number, l)));
    at = pane->n_columns - 2;
    cells->text[at] = l->mark ? xstrdup(l->mark) : NULL;
    cells->look[at++] = LOOK_DIM;
    cells->text[at] = l->text ? xstrdup(l->text) : NULL;
    cells->look[at] = look_of(c, number, l);
    cells->looks[at] = looks_of(l);
}

static void make_columns(struct source_view *c)
{
    for (int i = 0; i < 2; i++) {
        struct pane *p = &c->view.panes[i];
        const struct code_list *list = list_of(c, i);
        int width = 5;

        p->n = list->n;
        for (size_t k = 0; k < list->n; k++)
            if (list->items[k].mark && (int)strlen(list->items[k].mark) > width)
                width = (int)strlen(list->items[k].mark);
        p->n_columns = 0;
        browsed_head(c->view.browsed, p, browsed_self(c->view.browsed)->header, 0);
        if (i == SOURCE && inclusive_of(c))
            browsed_head(c->view.browsed, p, "Inclusive", 0);
        if (i == SOURCE && browsed_has_bars())
            browsed_bar_head(p);
        p->columns[p->n_columns++] = (struct pane_column){
            .head = i == SOURCE ? "Line" : "At", .width = width, .right = true};
        p->columns[p->n_columns++] =
            (struct pane_column){.head = i == SOURCE ? "Source" : "Instruction",
                                 .width = 20,
                                 .share = 1,
                                 .cut = TEXT_CUT_END};
    }
}

static void update(struct view *view)
{
    struct source_view *c = (void *)view;

    if (c->measured != browsed_self(view->browsed)) {
        c->measured = browsed_self(view->browsed);
        source_lines_load(&c->source, view->browsed, c->functions);
    }
    make_columns(c);
}

static char *title(const struct view *view)
{
    const struct source_view *c = (const void *)view;
    const struct browsed *d = view->browsed;
    char percent[TEXT_NUMBER], with[TEXT_NUMBER], *name = browsed_name(d, c->row), *text;

    text_percent(percent, column_value(browsed_self(d), d->rows.items[c->row].counts),
                 browsed_total(d), 1);
    if (inclusive_of(c))
        text_percent(with, column_value(inclusive_of(c), c->source.annotation.own),
                     browsed_total(d), 1);
    text = inclusive_of(c) ? xasprintf("%s: %s %% own, %s %% with %s", name, percent, with,
                                       c->view.browsed->has_calls ? "callees" : "inlined code")
                           : xasprintf("%s: %s %% own", name, percent);
    free(name);
    return text;
}

/* The row of the function that was inlined at the selected line, or the view's. */
static size_t selected_row(const struct view *view)
{
    const struct source_view *c = (const void *)view;
    const struct code_line *l = selected_line(view, view->focus);
    uint32_t row =
        l && l->function != CPROF_NONE ? view->browsed->row_of[l->function] : (uint32_t)c->row;

    return row == CPROF_NONE ? c->row : row;
}

/* The place of the selected line; of a function that was inlined, none. */
static struct place selected_place(const struct view *view)
{
    const struct code_line *l = selected_line(view, view->focus);

    return l && l->function == CPROF_NONE && l->file != CPROF_NONE && l->line
               ? (struct place){view->browsed->profile->files[l->file], l->line}
               : (struct place){NULL, 0};
}

/* Returns false where no line is of that place. */
static bool select_place(struct source_view *c, struct place place)
{
    const struct code_list *list = list_of(c, SOURCE);

    for (size_t i = 0; i < list->n && place.file; i++) {
        const struct code_line *l = &list->items[i];

        if (l->kind == CODE_SOURCE && l->line == place.line && l->file != CPROF_NONE &&
            !strcmp(c->view.browsed->profile->files[l->file], place.file)) {
            c->view.panes[SOURCE].selected = i;
            return true;
        }
    }
    return false;
}

/* Selects the costliest line. */
static void select_costliest(struct source_view *c, int pane)
{
    int64_t most = 0;

    for (size_t i = 0; i < list_of(c, pane)->n; i++) {
        const struct code_line *l = &list_of(c, pane)->items[i];

        if (l->kind == CODE_HEAD || l->kind == CODE_CALL || value_of(c, pane, l) <= most)
            continue;
        most = value_of(c, pane, l);
        c->view.panes[pane].selected = i;
    }
}

/* Makes the other pane follow the selection: to the costliest line of the same place. */
static void follow(struct view *view)
{
    struct source_view *c = (void *)view;
    const struct code_line *l = selected_line(view, view->focus);
    struct pane *other = &view->panes[!view->focus];
    int64_t most = -1;

    if (view->n_panes < 2 || !l || l->file == CPROF_NONE)
        return;
    for (size_t i = 0; i < list_of(c, !view->focus)->n; i++) {
        const struct code_line *o = &list_of(c, !view->focus)->items[i];
        int64_t value = o->counts ? column_value(browsed_self(view->browsed), o->counts) : 0;

        if (o->file == l->file && o->line == l->line && value > most) {
            most = value;
            other->selected = i;
        }
    }
}

static void show_instructions(struct source_view *c, bool show)
{
    if (show && !c->instructions.loaded) {
        instruction_lines_load(&c->instructions, c->view.browsed, c->functions);
        make_columns(c);
    }
    c->view.n_panes = show ? 2 : 1;
    c->view.focus = SOURCE;
}

static bool act(struct view *view, enum action action)
{
    struct source_view *c = (void *)view;
    size_t row = selected_row(view);

    switch (action) {
    case ACTION_SOURCE:
        if (row != c->row)
            return false;
        show_instructions(c, false);
        return true;
    case ACTION_ASM:
        if (row != c->row)
            return false;
        show_instructions(c, view->n_panes == 1);
        return true;
    case ACTION_ESCAPE:
        if (view->n_panes == 1)
            return false;
        show_instructions(c, false);
        return true;
    case ACTION_OPEN:
        if (row != c->row)
            browser_open(view->browser, view_source(view->browser, view->browsed, row,
                                                    selected_place(view), view->n_panes == 2));
        return true;
    default:
        return false;
    }
}

static void free_view(struct view *view)
{
    struct source_view *c = (void *)view;

    source_lines_free(&c->source);
    instruction_lines_free(&c->instructions);
    free(c->functions);
    free(view->filter);
    free(c);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "inlined"}, {ACTION_CALLERS, "callers"}, {ACTION_ASM, "instructions"},
    {ACTION_CALLS, "calls"},  {ACTION_ESCAPE, "back"},     {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .follow = follow,
                                        .row = selected_row,
                                        .place = selected_place,
                                        .free = free_view};

struct view *view_source(struct browser *browser, struct browsed *browsed, size_t row,
                         struct place place, bool instructions)
{
    struct source_view *c = xcalloc(1, sizeof *c);

    c->view = (struct view){.class = &class, .browser = browser, .browsed = browsed, .n_panes = 1};
    c->row = row;
    c->functions = annotation_functions(browsed->profile, &browsed->rows.items[row]);
    for (int i = 0; i < 2; i++)
        c->view.panes[i] = (struct pane){.line = line, .view = c, .linked = true};
    c->view.panes[SOURCE].empty =
        "no line has costs: neither the function nor what it called; c shows its calls";
    c->view.panes[INSTRUCTIONS].empty =
        browsed->profile->has_addresses
            ? "no instructions: it has no cost of its own"
            : "no addresses in this profile; 'cargo cprof callgrind' writes them";
    update(&c->view);
    if (!select_place(c, place))
        select_costliest(c, SOURCE);
    if (instructions)
        show_instructions(c, true);
    return &c->view;
}
