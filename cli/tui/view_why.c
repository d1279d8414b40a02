#include <config.h>

/* Why the total changed between two profiles: the table of diff --why. */
#include "diff/why.h"
#include "render/text/why_table.h"
#include "tui/browser.h"
#include "tui/browser_state.h"
#include "tui/list.h"

#include <stdint.h>
#include <stdlib.h>

/* Items are rows of the table, in its order. */
struct why_list {
    struct list list;
    struct diff diff;
    struct columns columns;
    struct crates old_crates;
    struct why why;
    struct table filled;
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

static bool act(struct view *view, enum action action)
{
    return action == ACTION_DIFF || list_act(view, action);
}

static void unload(struct list *l)
{
    struct why_list *c = (void *)l;

    table_free(&c->filled);
    why_free(&c->why);
    crates_free(&c->old_crates);
    columns_free(&c->columns);
    diff_free(&c->diff);
}

static const struct key_hint hints[] = {{ACTION_FILTER, "filter"},
                                        {ACTION_WRITE, "write"},
                                        {ACTION_ESCAPE, "back"},
                                        {ACTION_NONE, NULL}};

static const struct view_class class = {LIST_VIEW(hints), .title = title, .act = act};

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
    return list_start(&c->list);
}
