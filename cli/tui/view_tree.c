#include <config.h>

/* Call paths as a tree that opens and closes. */
#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "paths/startup.h"
#include "paths/tree.h"
#include "render/text/text.h"
#include "tui/browser_state.h"
#include "tui/view.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A node that has a line, with those that are inlined in it one by one: a chain. */
struct visible_node {
    uint32_t node;
    unsigned depth;
};

struct tree_view {
    struct view view;
    struct tree *tree;
    struct subtree below; /* has the tree where only the paths below a function are shown */
    struct tree own_only; /* has it where only own code is */
    uint32_t function;    /* CPROF_NONE: all paths are shown */
    bool full;            /* paths are shown as they are */
    bool is_own_only;     /* `own_only` is made */
    const bool *own;      /* functions that begin a line */
    uint32_t n_known;     /* the number of nodes in the arrays below */
    bool *open;
    bool *sorted; /* by node: its children are sorted by the measure */
    struct visible_node *visible;
    size_t room;
};

enum {
    MAX_INDENT = 80, /* deeper levels are not indented further */
    WIDE = 100       /* columns from which on calls are shown */
};

static void add(struct tree_view *t, uint32_t node, unsigned depth)
{
    struct pane *p = &t->view.panes[0];

    APPEND(t->visible, p->n, t->room) = (struct visible_node){node, depth};
}

/* New nodes are closed. */
static void know_nodes(struct tree_view *t)
{
    uint32_t n = t->tree->n, n_new = n - t->n_known;

    if (n_new == 0)
        return;
    t->open = xreallocarray(t->open, n, sizeof *t->open);
    t->sorted = xreallocarray(t->sorted, n, sizeof *t->sorted);
    memset(t->open + t->n_known, 0, n_new * sizeof *t->open);
    memset(t->sorted + t->n_known, 0, n_new * sizeof *t->sorted);
    t->n_known = n;
}

/* The most expensive child; the others follow it. Few nodes are ever opened. */
static uint32_t first_child(struct tree_view *t, uint32_t node)
{
    if (t->function != CPROF_NONE) {
        subtree_open(&t->below, node);
        know_nodes(t);
    }
    if (!t->sorted[node])
        tree_sort_children(t->tree, node, browsed_self(t->view.browsed));
    t->sorted[node] = true;
    return t->tree->nodes[node].first_child;
}

/* The node that shares the line of another one, its only child, or CPROF_NONE. */
static uint32_t chained(struct tree_view *t, uint32_t node)
{
    if (t->full || first_child(t, node) == CPROF_NONE)
        return CPROF_NONE;
    return tree_inlined_child(t->tree, node, browsed_self(t->view.browsed), -HUGE_VAL, t->own);
}

/* The last node of the line that `node` begins. */
static uint32_t last_of(struct tree_view *t, uint32_t node)
{
    for (uint32_t next = chained(t, node); next != CPROF_NONE; next = chained(t, node))
        node = next;
    return node;
}

/* The node that begins the line which has `node`. */
static uint32_t line_of(struct tree_view *t, uint32_t node)
{
    uint32_t parent = t->tree->nodes[node].parent;

    while (node && parent && chained(t, parent) == node) {
        node = parent;
        parent = t->tree->nodes[node].parent;
    }
    return node;
}

/* Makes the lines anew: down into open nodes, else on, else up until there is a brother. */
static void rebuild(struct tree_view *t)
{
    uint32_t node = first_child(t, 0);
    unsigned depth = 0;

    t->view.panes[0].n = 0;
    while (node != CPROF_NONE) {
        uint32_t child = t->open[node] ? first_child(t, last_of(t, node)) : CPROF_NONE;

        add(t, node, depth);
        if (child != CPROF_NONE) {
            node = child;
            depth++;
            continue;
        }
        while (node && t->tree->nodes[node].next == CPROF_NONE) {
            node = line_of(t, t->tree->nodes[node].parent);
            depth--;
        }
        node = node ? t->tree->nodes[node].next : CPROF_NONE;
    }
}

static void select_node(struct tree_view *t, uint32_t node)
{
    struct pane *p = &t->view.panes[0];

    for (size_t i = 0; i < p->n; i++)
        if (t->visible[i].node == node)
            p->selected = i;
}

static uint32_t current(const struct tree_view *t)
{
    const struct pane *p = &t->view.panes[0];

    return p->n ? t->visible[p->selected].node : CPROF_NONE;
}

static int64_t inclusive_of(const struct tree_view *t, uint32_t node)
{
    return column_value(browsed_self(t->view.browsed), tree_inclusive(t->tree, node));
}

/* "a › b › c", the names of a line's nodes; the caller frees it. */
static char *names_of(struct tree_view *t, uint32_t first)
{
    struct strbuf names = {.size = 0};

    for (uint32_t i = first; i != CPROF_NONE; i = chained(t, i)) {
        const struct tree_node *node = &t->tree->nodes[i];
        char *name = tree_node_name(node) ? xstrdup(tree_node_name(node))
                                          : browsed_function_name(t->view.browsed, node->function);

        strbuf_add_item(&names, text_chain_arrow(), name);
        free(name);
    }
    return strbuf_take(&names);
}

/* The sign of a line that opens or closes, after a mark where it stands deeper than is drawn. */
static const char *sign_of(struct tree_view *t, const struct visible_node *s)
{
    static const char *const signs[2][2][3] = {{{"  ", "+ ", "- "}, {"~  ", "~+ ", "~- "}},
                                               {{"  ", "▸ ", "▾ "}, {"…  ", "…▸ ", "…▾ "}}};
    bool leaf = t->tree->nodes[last_of(t, s->node)].first_child == CPROF_NONE;

    return signs[text_is_utf8()][s->depth > MAX_INDENT][leaf ? 0 : 1 + t->open[s->node]];
}

/* The row of a node's function, or CPROF_NONE. */
static uint32_t row_of(const struct tree_view *t, uint32_t node)
{
    const struct tree_node *n = &t->tree->nodes[node];

    return n->fold ? CPROF_NONE : t->view.browsed->row_of[n->function];
}

static int64_t self_of(struct tree_view *t, uint32_t first)
{
    int64_t sum = 0;

    for (uint32_t i = first; i != CPROF_NONE; i = chained(t, i)) {
        int64_t value = column_value(browsed_self(t->view.browsed), tree_self(t->tree, i));

        counts_add(&sum, &value, 1);
    }
    return sum;
}

static bool shows_calls(const struct browsed *d)
{
    return COLS >= WIDE && graph_has_calls(d->profile);
}

static void line(struct pane *pane, size_t i, struct pane_cells *cells)
{
    struct tree_view *t = pane->view;
    const struct browsed *d = t->view.browsed;
    const struct visible_node *s = &t->visible[i];
    int64_t self = self_of(t, s->node); /* may move the nodes */
    char text[TEXT_NUMBER], *label = names_of(t, s->node);
    const struct tree_node *node = &t->tree->nodes[s->node];
    enum look look = node->fold ? LOOK_DIM : browsed_name_look(d, node->function, node->inlined);
    int at = 0;

    browsed_cells(d, cells, &at, inclusive_of(t, s->node), false);
    browsed_bar_cell(d, cells, &at, inclusive_of(t, s->node), look);
    browsed_cells(d, cells, &at, self, false);
    if (shows_calls(d))
        cells->text[at++] = node->inlined || node->fold
                                ? NULL
                                : xstrdup(text_count(text, calls_count(node->calls)));
    cells->text[at] = label;
    cells->sign[at] = sign_of(t, s);
    /* One column for a level: paths of Rust programs are deep before the program's own code. */
    cells->indent[at] = s->depth < MAX_INDENT ? (int)s->depth : MAX_INDENT;
    cells->look[at] = look;
}

static void make_columns(struct tree_view *t)
{
    struct pane *p = &t->view.panes[0];

    p->n_columns = 0;
    browsed_head(t->view.browsed, p, "Inclusive", 'v');
    browsed_bar_head(p);
    browsed_head(t->view.browsed, p, browsed_self(t->view.browsed)->header, 0);
    if (shows_calls(t->view.browsed))
        p->columns[p->n_columns++] =
            (struct pane_column){.head = "Calls", .width = 9, .right = true};
    p->columns[p->n_columns++] =
        (struct pane_column){.head = "Call path", .width = 24, .share = 1, .cut = TEXT_CUT_CHAIN};
}

static char *title(const struct view *view)
{
    const struct tree_view *t = (const void *)view;
    char count[TEXT_NUMBER], *name, *text;

    if (t->function == CPROF_NONE)
        return xasprintf("call paths%s: %s", t->is_own_only ? " of own code" : "",
                         text_count(count, (int64_t)t->tree->n - 1));
    name = browsed_function_name(view->browsed, t->function);
    text = xasprintf("call paths below %s, reached by %s %s", name,
                     text_count(count, t->below.n_reached),
                     t->below.n_reached == 1 ? "path" : "paths");
    free(name);
    return text;
}

static size_t selected_row(const struct view *view)
{
    const struct tree_view *t = (const void *)view;
    uint32_t node = current(t), row;

    row = node == CPROF_NONE ? CPROF_NONE : row_of(t, node);
    return row == CPROF_NONE ? SIZE_MAX : row;
}

/* Opens a node and its most expensive child; then goes on as long as a child has most of its
 * parent. */
static void open_hottest(struct tree_view *t)
{
    uint32_t first = current(t), node = first;

    while (node != CPROF_NONE) {
        uint32_t child = first_child(t, last_of(t, node));

        if (child == CPROF_NONE ||
            (node != first && inclusive_of(t, child) * 2 < inclusive_of(t, node)))
            break;
        t->open[node] = true;
        node = child;
    }
    rebuild(t);
    if (node != CPROF_NONE)
        select_node(t, node);
}

static void set_open(struct tree_view *t, bool open)
{
    uint32_t node = current(t), parent;

    if (node == CPROF_NONE)
        return;
    parent = t->tree->nodes[node].parent;
    if (!open && !t->open[node] && parent)
        node = line_of(t, parent);
    else if (t->tree->nodes[last_of(t, node)].first_child != CPROF_NONE)
        t->open[node] = open;
    rebuild(t);
    select_node(t, node);
}

/* Makes the tree of all paths that are to be shown. */
static void choose_tree(struct tree_view *t)
{
    struct browsed *d = t->view.browsed;

    if (t->is_own_only)
        tree_free(&t->own_only);
    t->tree = t->full ? browsed_tree(d) : browsed_own_tree(d);
    t->is_own_only = d->own_only;
    if (!t->is_own_only)
        return;
    own_tree_load(&t->own_only, t->tree, d->crates.own);
    t->tree = &t->own_only;
}

/* Begins with all paths closed, but for a single one. */
static void begin(struct tree_view *t)
{
    if (t->function == CPROF_NONE)
        choose_tree(t);
    t->n_known = 0;
    know_nodes(t);
    t->view.panes[0].selected = 0;
    rebuild(t);
    if (t->view.panes[0].n == 1)
        set_open(t, true);
}

static void update(struct view *view)
{
    struct tree_view *t = (void *)view;
    uint32_t node = current(t);

    if (t->function == CPROF_NONE && t->is_own_only != view->browsed->own_only) {
        begin(t);
        node = CPROF_NONE;
    }
    make_columns(t);
    memset(t->sorted, 0, t->n_known * sizeof *t->sorted);
    rebuild(t);
    if (node != CPROF_NONE)
        select_node(t, node);
}

static bool act(struct view *view, enum action action)
{
    struct tree_view *t = (void *)view;
    uint32_t node = current(t);

    switch (action) {
    case ACTION_EXPAND:
    case ACTION_COLLAPSE:
        set_open(t, action == ACTION_EXPAND);
        return true;
    case ACTION_OPEN:
        if (node != CPROF_NONE)
            set_open(t, !t->open[node]);
        return true;
    case ACTION_HOTTEST:
        open_hottest(t);
        return true;
    case ACTION_FULL_PATHS:
        t->full = !t->full;
        begin(t);
        return true;
    case ACTION_OWN_ONLY:
        if (t->function != CPROF_NONE)
            return false;
        view->browsed->own_only = !view->browsed->own_only;
        begin(t);
        return true;
    default:
        return false;
    }
}

static void free_view(struct view *view)
{
    struct tree_view *t = (void *)view;

    subtree_free(&t->below);
    if (t->is_own_only)
        tree_free(&t->own_only);
    free(t->open);
    free(t->sorted);
    free(t->visible);
    free(view->filter);
    free(t);
}

static const struct key_hint hints[] = {
    {ACTION_OPEN, "open"},       {ACTION_HOTTEST, "hottest"},   {ACTION_SOURCE, "source"},
    {ACTION_FULL_PATHS, "full"}, {ACTION_OWN_ONLY, "own only"}, {ACTION_ESCAPE, "back"},
    {ACTION_NONE, NULL},
};

static const struct view_class class = {.hints = hints,
                                        .title = title,
                                        .update = update,
                                        .act = act,
                                        .row = selected_row,
                                        .free = free_view};

struct view *view_tree_below(struct browser *browser, struct browsed *browsed, uint32_t function)
{
    struct tree_view *t = xcalloc(1, sizeof *t);

    t->view = (struct view){.class = &class, .browser = browser, .browsed = browsed, .n_panes = 1};
    t->view.panes[0] = (struct pane){.line = line, .view = t, .empty = "no call paths"};
    t->function = function;
    t->full = browser->input->full_paths;
    t->tree = browsed_own_tree(browsed);
    t->own = browsed->crates.own;
    if (function != CPROF_NONE) {
        subtree_load(&t->below, browsed_tree(browsed), function);
        t->tree = &t->below.tree;
    }
    make_columns(t);
    begin(t);
    return &t->view;
}

struct view *view_tree(struct browser *browser, struct browsed *browsed, size_t row)
{
    return view_tree_below(browser, browsed,
                           row == SIZE_MAX ? CPROF_NONE : browsed->rows.items[row].function);
}
