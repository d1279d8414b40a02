#include <config.h>

/* Why the total changed between two profiles: the table of diff --why; below it the selected reason
 * in as many lines as it takes. */
#include "base/memory.h"
#include "base/options.h"
#include "diff/why.h"
#include "render/text/text.h"
#include "render/text/why_table.h"
#include "tui/browser.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LIST, WHOLE, LINES_LEAST = 10 /* of a screen with both halves */ };

/* Items are rows of the table, in its order. */
struct why_list {
    struct list list;
    struct diff diff;
    struct columns columns;
    struct crates old_crates;
    struct why why;
    struct table filled;
    struct string_list lines; /* of the other half, its own */
};

static size_t load(struct list *l)
{
    return ((struct why_list *)l)->filled.n_rows;
}

static struct pane_row item(const struct list *l, size_t i)
{
    const struct table *t = &((const struct why_list *)l)->filled;

    return (struct pane_row){.row = table_at(t, i, 0), .function = CPROF_NONE};
}

static void columns(struct list *l)
{
    list_show_table(l, &((const struct why_list *)l)->filled);
}

static char *title(const struct view *view)
{
    return why_sentence(&((const struct why_list *)view)->why);
}

/*--- The selected reason, whole ---*/

static void draw_whole(struct pane *pane, size_t i, struct pane_cells *cells)
{
    const struct why_list *c = pane->view;

    cells->text[0] = xstrdup(c->lines.items[i]);
}

/* A function that has several reasons has none of its own: the change of the total stands there. */
static char *whole_text(const struct why_list *c)
{
    size_t item = list_selected(&c->list.view);
    const struct cell *name, *reason;

    if (item == SIZE_MAX)
        return xstrdup("");
    name = table_at(&c->filled, item, WHY_CELL_FUNCTION);
    reason = table_at(&c->filled, item, WHY_CELL_REASON);
    return reason->text && *reason->text
               ? xasprintf("%s: %s", name->text ? name->text : "", reason->text)
               : why_sentence(&c->why);
}

static void follow(struct view *view)
{
    struct why_list *c = (void *)view;
    char *text = whole_text(c), *clean = text_clean(text);

    string_list_free_texts(&c->lines);
    for (const char *at = clean; *at; at += strspn(at, " ")) {
        size_t size = text_line_size(at, (unsigned)COLS);

        string_list_add(&c->lines, xstrndup(at, size));
        at += size;
    }
    view->panes[WHOLE].n = c->lines.n;
    free(clean);
    free(text);
}

static void divide(struct view *view)
{
    view->n_panes = LINES < LINES_LEAST ? 1 : 2;
    view->focus = view->focus < view->n_panes ? view->focus : LIST;
}

static void update(struct view *view)
{
    divide(view);
    list_update(view);
}

static bool act(struct view *view, enum action action)
{
    return action == ACTION_DIFF || list_act(view, action);
}

static void unload(struct list *l)
{
    struct why_list *c = (void *)l;

    string_list_free_texts(&c->lines);
    table_free(&c->filled);
    why_free(&c->why);
    crates_free(&c->old_crates);
    columns_free(&c->columns);
    diff_free(&c->diff);
}

static const struct key_hint hints[] = {{ACTION_NEXT_PANE, "other half"},
                                        {ACTION_FILTER, "filter"},
                                        {ACTION_WRITE, "write"},
                                        {ACTION_ESCAPE, "back"},
                                        {ACTION_NONE, NULL}};

static const struct view_class class = {LIST_VIEW_BY(hints, update, list_filter), .title = title,
                                        .act = act, .follow = follow};

static const struct list_class list_class = {
    .item = item, .load = load, .columns = columns, .unload = unload};

/* Gives reasons the name of their function: sorted, they do not stand below it. */
static void name_reasons(struct table *t)
{
    const char *last = NULL;

    for (size_t i = 0; i < t->n_rows; i++) {
        struct cell *name = &t->cells[i * t->n_columns + WHY_CELL_FUNCTION];

        if (name->text && *name->text) {
            last = name->text;
        } else if (last) {
            cell_free(name);
            *name = cell_styled(cell_text(last), CELL_DIM);
        }
    }
}

static void fill(struct why_list *c, const struct browser_input *input, const char *measure)
{
    const struct browsed *d = c->list.view.browsed;
    const struct crates *const crates[] = {&c->old_crates, &d->crates};
    const struct column *self;

    columns_load(&c->columns, c->diff.common);
    self = columns_find(&c->columns, measure);
    crates_load(&c->old_crates, input->old, input->packages, NULL);
    diff_set_labels(&c->diff, (enum name_style)input->name_style);
    why_load(&c->why, &c->diff, crates, self ? self : c->columns.items);
    why_fill(&c->why, SIZE_MAX, &c->filled);
    name_reasons(&c->filled);
}

struct view *view_why(struct browser *browser, struct browsed *browsed,
                      const struct browser_input *input, const char *measure)
{
    struct why_list *c =
        list_make(sizeof *c, &class, &list_class, browser, browsed, "nothing changed");
    char *problem;

    diff_load(&c->diff, input->old, browsed->profile, input->noise);
    problem = why_problem(&c->diff);
    if (problem) {
        browser_say(browser, "why it changed is not known: %s", problem);
        free(problem);
        diff_free(&c->diff);
        free(c);
        return NULL;
    }
    fill(c, input, measure);
    divide(&c->list.view);
    c->list.view.panes[LIST].linked = true;
    c->list.view.panes[WHOLE] =
        (struct pane){.line = draw_whole,
                      .view = c,
                      .empty = "",
                      .n_columns = 1,
                      .columns[0] = {.head = "In full", .width = 20, .share = 1}};
    return list_start(&c->list);
}
