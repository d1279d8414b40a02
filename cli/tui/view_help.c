#include <config.h>

/* The table of keys. */
#include "base/memory.h"
#include "tui/view.h"

#include <stdlib.h>

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    struct key_binding k = key_binding_at(i);

    (void)pane;
    if (k.action == ACTION_NONE) {
        cells->text[0] = xstrdup(k.help);
        cells->look[0] = LOOK_BOLD;
        return;
    }
    cells->text[0] = xasprintf("  %s", k.shown);
    cells->text[1] = xstrdup(k.help);
}

static char *title(const struct view *view)
{
    (void)view;
    return xstrdup("keys");
}

static void update(struct view *view)
{
    (void)view;
}

static bool act(struct view *view, enum action action)
{
    (void)view;
    (void)action;
    return false;
}

static void free_view(struct view *view)
{
    free(view->filter);
    free(view);
}

static const struct key_hint hints[] = {{ACTION_ESCAPE, "back"}, {ACTION_NONE, NULL}};

static const struct view_class class = {
    .hints = hints, .title = title, .update = update, .act = act, .free = free_view};

struct view *view_help(struct browser *browser, struct browsed *browsed)
{
    struct view *v = xcalloc(1, sizeof *v);

    *v = (struct view){.class = &class, .browser = browser, .browsed = browsed, .n_panes = 1};
    v->panes[0] =
        (struct pane){.line = line, .view = v, .empty = "", .n = keys_count(), .n_columns = 2};
    v->panes[0].columns[0] = (struct pane_column){.head = "Key", .width = 18};
    v->panes[0].columns[1] = (struct pane_column){.head = "What it does", .width = 20, .share = 1};
    return v;
}
