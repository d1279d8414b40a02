#include <config.h>

#include "render/text/path_tree.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    INCLUSIVE_WIDTH = 5,
    SELF_WIDTH = 6,
    NAME_MIN = 24, /* the least width of a name, however deep it stands */
};

/* The glyphs before a name, by whether a brother follows: at the branch, and in the lines below it.
 */
static const struct glyphs {
    const char *branch[2], *below[2];
} lines[2] = {{{"`- ", "|- "}, {"   ", "|  "}}, {{"└─ ", "├─ "}, {"   ", "│  "}}};

enum { GLYPH_WIDTH = 3 };

/* The position of the walk: each level that branches has one entry of `rails`. */
struct walk {
    const struct path_tree *path_tree;
    FILE *out;
    size_t n_shown;
    unsigned calls_width; /* with the blanks behind it; 0: calls are not known */
    size_t n_rails, room;
    bool *rails; /* true: a brother follows */
};

static int64_t value_of(const struct path_tree *p, const int64_t *counts)
{
    return column_value(p->measure, counts);
}

static bool is_shown(const struct path_tree *p, uint32_t node)
{
    int64_t total = value_of(p, p->tree->profile->totals);
    int64_t value = value_of(p, tree_inclusive(p->tree, node));

    return (double)value * 100 >= p->threshold * (double)total;
}

/* `node`, or CPROF_NONE where it is not shown. Children are sorted, so that all others after such a
 * one are not shown either. */
static uint32_t shown(const struct path_tree *p, uint32_t node)
{
    return node != CPROF_NONE && is_shown(p, node) ? node : CPROF_NONE;
}

static bool has_brother(const struct path_tree *p, uint32_t node)
{
    return shown(p, p->tree->nodes[node].next) != CPROF_NONE;
}

static void push_rail(struct walk *w, bool follows)
{
    APPEND(w->rails, w->n_rails, w->room) = follows;
}

/* Writes the rails before a name, only the last ones of a deep name, in `room` columns. Returns
 * their width. */
static unsigned put_rails(const struct walk *w, unsigned room, bool at_branch)
{
    const struct glyphs *g = &lines[text_is_utf8()];
    size_t skipped = 0, n = w->n_rails;
    unsigned width;

    if (room < GLYPH_WIDTH)
        return 0;
    while ((n - skipped) * GLYPH_WIDTH + (skipped ? GLYPH_WIDTH : 0) > room && skipped < n)
        skipped++;
    width = (unsigned)(n - skipped) * GLYPH_WIDTH + (skipped ? GLYPH_WIDTH : 0);
    style_begin(w->out, w->path_tree->screen.color, STYLE_DIM);
    if (skipped)
        fputs(text_sign("…  ", "..."), w->out);
    for (size_t i = skipped; i < n; i++) {
        bool last = at_branch && i + 1 == n;

        fputs((last ? g->branch : g->below)[w->rails[i]], w->out);
    }
    style_end(w->out, w->path_tree->screen.color);
    return width;
}

static const char *calls_text(const struct tree_node *node, char buffer[TEXT_NUMBER])
{
    if (node->fold)
        return "";
    if (node->inlined)
        return TEXT_INLINED;
    return text_count(buffer, calls_count(node->calls));
}

/*--- Chains of inlined functions, each the only child of the one before, in one row ---*/

/* The node's only shown child, where that was inlined into it; else CPROF_NONE. */
static uint32_t chained(const struct path_tree *p, uint32_t node)
{
    uint32_t child = shown(p, p->tree->nodes[node].first_child);

    if (!p->chains || child == CPROF_NONE || !p->tree->nodes[child].inlined ||
        p->tree->nodes[node].fold || has_brother(p, child))
        return CPROF_NONE;
    return p->own && p->own[p->tree->nodes[child].function] ? CPROF_NONE : child;
}

static const char *name_of(const struct path_tree *p, uint32_t node)
{
    const struct tree_node *n = &p->tree->nodes[node];
    const char *name = tree_node_name(n);

    return name ? name : p->labels[n->function];
}

/* "a › b › c"; the caller frees it. */
static char *chain_text(const struct path_tree *p, uint32_t first, uint32_t last)
{
    struct strbuf text = {.size = 0};

    for (uint32_t i = first;; i = chained(p, i)) {
        strbuf_add_item(&text, text_chain_arrow(), name_of(p, i));
        if (i == last)
            break;
    }
    return strbuf_take(&text);
}

/* The sign that stands before a name. */
enum lead {
    LEAD_NONE,   /* the first root */
    LEAD_BRANCH, /* the parent has several shown children */
    LEAD_ONLY    /* it has this one: "›" says that it is called, and no brother */
};

/* Writes the rails, and the names in what room they leave. */
static void put_names(struct walk *w, const char *names, unsigned room, enum lead lead)
{
    const struct path_tree *p = w->path_tree;
    const char *arrow = lead != LEAD_ONLY ? "" : text_sign("› ", "> ");
    unsigned least = text_least_chain(names) + (lead == LEAD_ONLY ? 2 : 0), used;
    unsigned wanted = least > NAME_MIN ? least : NAME_MIN;
    unsigned rails = room > wanted ? room - wanted : 0;
    char *fit;

    /* A sign that there are some is worth more than a longer name. */
    if (rails < GLYPH_WIDTH && room >= least + GLYPH_WIDTH)
        rails = GLYPH_WIDTH;
    used = put_rails(w, rails, lead == LEAD_BRANCH) + (lead == LEAD_ONLY ? 2 : 0);
    fit = text_shorten(names, room - used, TEXT_CUT_CHAIN);
    style_begin(w->out, p->screen.color, STYLE_DIM);
    fputs(arrow, w->out);
    style_end(w->out, p->screen.color);
    fputs(fit, w->out);
    free(fit);
}

/* Writes a row, and returns the last node that is in it. */
static uint32_t put_node(struct walk *w, uint32_t node, enum lead lead)
{
    const struct path_tree *p = w->path_tree;
    const struct tree_node *n = &p->tree->nodes[node];
    int64_t total = value_of(p, p->tree->profile->totals), own = 0;
    unsigned numbers = INCLUSIVE_WIDTH + SELF_WIDTH + w->calls_width + 4;
    unsigned room = p->screen.width > numbers + NAME_MIN ? p->screen.width - numbers : NAME_MIN;
    char inclusive[TEXT_NUMBER], self[TEXT_NUMBER], calls[TEXT_NUMBER], *names;
    uint32_t last = node;

    for (uint32_t i = node; i != CPROF_NONE; i = chained(p, i)) {
        int64_t value = value_of(p, tree_self(p->tree, i));

        counts_add(&own, &value, 1);
        last = i;
        w->n_shown++;
    }
    fprintf(w->out, "%*s  %*s  ", INCLUSIVE_WIDTH,
            text_percent(inclusive, value_of(p, tree_inclusive(p->tree, node)), total, 1),
            SELF_WIDTH, text_percent(self, own, total, 1));
    if (w->calls_width) {
        style_begin(w->out, p->screen.color && n->inlined, STYLE_DIM);
        fprintf(w->out, "%*s", (int)w->calls_width - 2, calls_text(n, calls));
        style_end(w->out, p->screen.color && n->inlined);
        fputs("  ", w->out);
    }
    names = chain_text(p, node, last);
    put_names(w, names, room, lead);
    fputc('\n', w->out);
    free(names);
    return last;
}

/* A node that waits to be written. */
struct waiting {
    uint32_t node;
    size_t n_rails; /* rails of its parent */
    enum lead lead;
};

/* Writes all shown nodes, parents first. The stack is on the heap: paths may be as deep as the
 * program has functions. */
static void put_nodes(struct walk *w)
{
    const struct tree *t = w->path_tree->tree;
    struct waiting *stack = xreallocarray(NULL, t->n, sizeof *stack);
    uint32_t first;
    size_t n = 0;

    first = shown(w->path_tree, t->nodes[0].first_child);
    if (first != CPROF_NONE)
        stack[n++] =
            (struct waiting){first, 0, has_brother(w->path_tree, first) ? LEAD_BRANCH : LEAD_NONE};
    while (n) {
        struct waiting top = stack[--n];
        uint32_t brother = shown(w->path_tree, t->nodes[top.node].next), child, last;

        w->n_rails = top.n_rails;
        if (top.lead == LEAD_BRANCH)
            push_rail(w, brother != CPROF_NONE);
        last = put_node(w, top.node, top.lead);
        /* The brother waits below the child. */
        child = shown(w->path_tree, t->nodes[last].first_child);
        if (top.lead == LEAD_BRANCH && brother != CPROF_NONE)
            stack[n++] = (struct waiting){brother, top.n_rails, LEAD_BRANCH};
        if (child != CPROF_NONE)
            stack[n++] = (struct waiting){
                child, w->n_rails, has_brother(w->path_tree, child) ? LEAD_BRANCH : LEAD_ONLY};
    }
    free(stack);
}

static unsigned calls_width(const struct path_tree *p)
{
    unsigned width = 5;

    if (p->tree->profile->sampled)
        return 0;

    for (uint32_t i = 1; i < p->tree->n; i++) {
        char text[TEXT_NUMBER];
        unsigned node_width;

        if (!is_shown(p, i))
            continue;
        node_width = (unsigned)strlen(calls_text(&p->tree->nodes[i], text));
        if (node_width > width)
            width = node_width;
    }
    return width + 2;
}

void path_tree_write(const struct path_tree *p, FILE *out)
{
    struct walk w = {.path_tree = p, .out = out, .calls_width = calls_width(p)};
    char *head;

    head = xasprintf("%*s  %*s  %*s%sCall path", INCLUSIVE_WIDTH, "%", SELF_WIDTH, "Self %",
                     w.calls_width ? (int)w.calls_width - 2 : 0, w.calls_width ? "Calls" : "",
                     w.calls_width ? "  " : "");
    style_put(out, p->screen.color, STYLE_BOLD, head);
    fputc('\n', out);
    free(head);
    put_nodes(&w);
    table_take_line(
        w.n_shown + 1 < p->tree->n
            ? xasprintf("%s of %s call paths, from %g %% of %s on (--threshold 0 shows all)",
                        TEXT_COUNT(w.n_shown), TEXT_COUNT(p->tree->n - 1), p->threshold,
                        p->measure->name)
            : xasprintf("%s call path%s", TEXT_COUNT(p->tree->n - 1), w.n_shown == 1 ? "" : "s"),
        STYLE_DIM, "", &p->screen, out);
    free(w.rails);
}
