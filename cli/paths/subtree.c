#include <config.h>

#include "paths/subtree.h"

#include "base/counts.h"
#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 256 };

static void make_room(struct subtree *b)
{
    struct tree *t = &b->tree;
    size_t n_events = t->profile->n_events;

    if (t->n < b->room)
        return;
    b->room = b->room ? 2 * b->room : FIRST_ROOM;
    t->nodes = xreallocarray(t->nodes, b->room, sizeof *t->nodes);
    t->self = xreallocarray(t->self, b->room * n_events, sizeof *t->self);
    t->inclusive = xreallocarray(t->inclusive, b->room * n_events, sizeof *t->inclusive);
    b->first = xreallocarray(b->first, b->room, sizeof *b->first);
}

/* Makes a node below `parent` that stands for no node yet. */
static uint32_t new_node(struct subtree *b, uint32_t parent, uint32_t function, bool inlined)
{
    struct tree *t = &b->tree;
    uint32_t node = t->n, next = CPROF_NONE, n_events = t->profile->n_events;

    make_room(b);
    t->n++;
    if (parent != CPROF_NONE) {
        next = t->nodes[parent].first_child;
        t->nodes[parent].first_child = node;
    }
    t->nodes[node] = (struct tree_node){.function = function,
                                        .parent = parent,
                                        .first_child = CPROF_NONE,
                                        .next = next,
                                        .inlined = inlined};
    for (uint32_t e = 0; e < n_events; e++)
        t->self[(size_t)node * n_events + e] = t->inclusive[(size_t)node * n_events + e] = 0;
    b->first[node] = 0;
    return node;
}

/* The child of `parent` that stands for `its`, a node of the whole tree, and for others with the
 * same function. Only the children of one node are made at a time: the child is the function's
 * latest node, or it does not exist yet. */
static uint32_t child_for(struct subtree *b, uint32_t parent, const struct tree_node *its)
{
    uint32_t *latest = &b->latest[2 * (size_t)its->function + its->inlined];

    if (!*latest || b->tree.nodes[*latest].parent != parent)
        *latest = new_node(b, parent, its->function, its->inlined);
    return *latest;
}

/* Makes a child of `parent` stand for node `i` of the whole tree. */
static void add(struct subtree *b, uint32_t parent, uint32_t i)
{
    struct tree *t = &b->tree;
    const struct tree_node *original = &b->whole->nodes[i];
    uint32_t child = child_for(b, parent, original), n_events = t->profile->n_events;
    struct tree_node *node = &t->nodes[child];

    b->following[i] = b->first[child];
    b->first[child] = i;
    if (original->first_child != CPROF_NONE)
        node->first_child = SUBTREE_UNMADE;
    calls_add(&node->calls, original->calls);
    counts_add(t->self + (size_t)child * n_events, tree_self(b->whole, i), n_events);
    counts_add(t->inclusive + (size_t)child * n_events, tree_inclusive(b->whole, i), n_events);
}

/* Adds the function's outermost nodes below the root. */
static void add_outermost(struct subtree *b, uint32_t function)
{
    const struct tree *whole = b->whole;
    bool *inside =
        xcalloc(whole->n, sizeof *inside); /* the node is the function's, or below such a node */

    for (uint32_t i = 1; i < whole->n; i++) {
        const struct tree_node *node = &whole->nodes[i];

        inside[i] = inside[node->parent] || node->function == function;
        if (inside[i] && !inside[node->parent]) {
            add(b, 0, i);
            b->n_reached++;
        }
    }
    free(inside);
}

static void add_to_root(struct subtree *b, uint32_t child)
{
    struct tree *t = &b->tree;

    counts_add(t->inclusive, tree_inclusive(t, child), t->profile->n_events);
}

void subtree_load(struct subtree *b, const struct tree *whole, uint32_t function)
{
    *b = (struct subtree){.tree = {.profile = whole->profile}, .whole = whole};
    b->following = xcalloc(whole->n, sizeof *b->following);
    b->latest = xcalloc(2 * (size_t)whole->profile->n_functions, sizeof *b->latest);
    new_node(b, CPROF_NONE, CPROF_NONE, false);
    add_outermost(b, function);
    for (uint32_t i = 1; i < b->tree.n; i++)
        add_to_root(b, i);
}

void subtree_open(struct subtree *b, uint32_t node)
{
    const struct tree_node *nodes = b->whole->nodes;

    if (b->tree.nodes[node].first_child != SUBTREE_UNMADE)
        return;
    b->tree.nodes[node].first_child = CPROF_NONE;
    for (uint32_t i = b->first[node]; i; i = b->following[i])
        for (uint32_t c = nodes[i].first_child; c != CPROF_NONE; c = nodes[c].next)
            add(b, node, c);
}

void subtree_free(struct subtree *b)
{
    tree_free(&b->tree);
    free(b->first);
    free(b->following);
    free(b->latest);
    *b = (struct subtree){.whole = NULL};
}

void subtree_load_all(struct tree *tree, const struct cprof_profile *profile, uint32_t function)
{
    struct tree whole;
    struct subtree below;

    tree_load(&whole, profile);
    subtree_load(&below, &whole, function);
    for (uint32_t i = 1; i < below.tree.n; i++)
        subtree_open(&below, i);
    *tree = below.tree;
    below.tree = (struct tree){.n = 0};
    subtree_free(&below);
    tree_free(&whole);
}
