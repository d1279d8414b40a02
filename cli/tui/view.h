/* view.h - the views between the first and the last line of the screen: one or two panes, and the
 * keys' actions there. Each kind of view is a file of its own. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/browsed.h"
#include "tui/keys.h"
#include "tui/pane.h"

#include <stdbool.h>

struct browser;
struct browser_input;
struct noise;
struct view;

/* A key of the last line, with a word for what it does. */
struct key_hint {
    enum action action; /* ACTION_NONE ends a list */
    const char *word;
};

struct view_class {
    enum view_id id; /* whose key does nothing here; VIEW_BOTH: none */
    /* The keys that matter here, the first one first; with those of every view they fit into 80
     * columns. */
    const struct key_hint *hints;
    /* The title for the first line; the caller frees it. */
    char *(*title)(const struct view *view);
    /* Makes columns and order anew, after settings of what is browsed or of the view have changed.
     */
    void (*update)(struct view *view);
    /* Does an action of this view's own. Returns false for other actions. */
    bool (*act)(struct view *view, enum action action);
    /* Takes a click on the head of a column of the first pane. */
    void (*head)(struct view *view, int column);
    /* Shows only lines with `text` in their names; NULL: all lines. NULL: the view has no filter.
     */
    void (*filter)(struct view *view, const char *text);
    /* Called before drawing: moves the parts that follow the selection. NULL: nothing. */
    void (*follow)(struct view *view);
    /* True for a measure that the view has. NULL: it has all. */
    bool (*suits)(const struct column *measure);
    /* The selected row (browsed->rows), or SIZE_MAX. NULL: no line has one. */
    size_t (*row)(const struct view *view);
    /* The place that the selected line is about; its file is NULL where it has none. NULL: no line
     * has. */
    struct place (*place)(const struct view *view);
    void (*free)(struct view *view);
};

/* Every kind of view begins with this. */
struct view {
    const struct view_class *class;
    struct browser *browser;
    struct browsed *browsed;
    int n_panes, focus; /* the pane that has the selection */
    struct pane panes[2];
    char *filter; /* the filter's text; NULL: none */
};

static inline struct pane *view_pane(struct view *view)
{
    return &view->panes[view->focus];
}

/* Each makes a view; view->class->free() ends it. */
/* Own code by what it is charged with; for a program that has some. */
struct view *view_own(struct browser *browser, struct browsed *browsed);
/* Own code line by line, by what lines are charged with. */
struct view *view_blame(struct browser *browser, struct browsed *browsed);
struct view *view_functions(struct browser *browser, struct browsed *browsed);
/* Costs by crate, then by file and object. */
struct view *view_groups(struct browser *browser, struct browsed *browsed);
/* Who allocates; for a profile with counts of the heap. */
struct view *view_heap(struct browser *browser, struct browsed *browsed);
/* Which data misses; for a profile whose misses were put to data. */
struct view *view_data(struct browser *browser, struct browsed *browsed);
/* The table of a view that the profile has, as text shows it. */
struct view *view_table(struct browser *browser, struct browsed *browsed, enum view_id id);
/* Misses by the size of LL; for a profile with miss curves. */
struct view *view_curves(struct browser *browser, struct browsed *browsed);
/* The sections that the program named; for a profile that has some. */
struct view *view_sections(struct browser *browser, struct browsed *browsed);
struct view *view_calls(struct browser *browser, struct browsed *browsed, size_t row);
/* All paths, or those below a row. */
struct view *view_tree(struct browser *browser, struct browsed *browsed, size_t row);
/* Call paths below a function of the profile, with a row or without; CPROF_NONE: all. */
struct view *view_tree_below(struct browser *browser, struct browsed *browsed, uint32_t function);
/* The callers of a row's function, by what a line of it cost for them; without a line (no file), by
 * what the whole function did. */
struct view *view_callers(struct browser *browser, struct browsed *browsed, size_t row,
                          struct place place);
/* The source of a row's function, at a place, or (no file) at the costliest line; with
 * `instructions`, these below it. */
struct view *view_source(struct browser *browser, struct browsed *browsed, size_t row,
                         struct place place, bool instructions);
/* The changes since `input->old`. NULL where the two have no event in common. */
struct view *view_diff(struct browser *browser, struct browsed *browsed,
                       const struct browser_input *input);
/* Why the total of an event changed since `input->old`, by its name. NULL after having said why
 * that is not known. */
struct view *view_why(struct browser *browser, struct browsed *browsed,
                      const struct browser_input *input, const char *measure);
/* Exact counts of `input->old` beside samples. NULL where the two are not that. */
struct view *view_time(struct browser *browser, struct browsed *browsed,
                       const struct browser_input *input);
struct view *view_help(struct browser *browser, struct browsed *browsed);

#endif
