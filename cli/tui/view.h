/*
 * view.h - what fills the screen between its first and its last line: one or two panes, and what
 * keys do there. Each kind of view is a file of its own.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/data.h"
#include "tui/keys.h"
#include "tui/pane.h"

#include <stdbool.h>

struct browser;
struct noise;
struct packages;
struct view;

struct view_class {
    /* What is in the first line; the caller frees it. */
    char *(*title)(const struct view *view);
    /* The settings of the data or the view have changed: columns, order. */
    void (*update)(struct view *view);
    /* Does the action where it is one of this view's own. */
    bool (*act)(struct view *view, enum action action);
    /* A click on the head of a column of the first pane. */
    void (*head)(struct view *view, int column);
    /* Shows what has `text` in its name only; NULL: all. NULL: the view cannot. */
    void (*filter)(struct view *view, const char *text);
    /* Called before drawing: what is to follow the selection does. NULL: nothing. */
    void (*follow)(struct view *view);
    /* The row (data->rows) that is selected, or SIZE_MAX. */
    size_t (*row)(const struct view *view);
    void (*free)(struct view *view);
};

/* Every kind of view begins with this. */
struct view {
    const struct view_class *class;
    struct browser *browser;
    struct data *data;
    int n_panes, focus; /* the pane that has the selection */
    struct pane panes[2];
    char *filter; /* text that is kept; NULL: none */
};

static inline struct pane *view_pane(struct view *view)
{
    return &view->panes[view->focus];
}

/* Each makes a view; view->class->free() ends it. */
struct view *view_functions(struct browser *browser, struct data *data);
/* Those of which `members` (of each row) says so; `group` is what they are of. */
struct view *view_functions_of(struct browser *browser, struct data *data, const bool *members,
                               const char *group);
/* Costs by crate, then by file and object; `packages` may be NULL. */
struct view *view_groups(struct browser *browser, struct data *data,
                         const struct packages *packages);
struct view *view_calls(struct browser *browser, struct data *data, size_t row);
/* All paths, or those below a row. */
struct view *view_tree(struct browser *browser, struct data *data, size_t row);
/* Lines with costs of a row; with `instructions` below them. */
struct view *view_source(struct browser *browser, struct data *data, size_t row, bool instructions);
/* What changed since `old`, whose noise (diff.h) and the profile's own `noise` is; NULL where no
 * event is common. */
struct view *view_diff(struct browser *browser, struct data *data, const struct cprof_profile *old,
                       const struct noise *const noise[2]);
struct view *view_help(struct browser *browser, struct data *data);

#endif
