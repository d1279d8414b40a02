#include <config.h>

#include "paths/tree.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "cprof_internal.h"

#include <stdlib.h>
#include <string.h>

/* The number of contexts by which prefetches are ahead. */
enum { AHEAD = 16 };

/* A slot of the hash table that finds the child of a node by its function: open addressing, at most
 * half full. */
struct child_slot {
    uint32_t hash, node; /* CPROF_NONE: free */
};

static void make_slots(struct tree_maker *m, size_t n)
{
    m->mask = 15;
    while (m->mask / 2 < n && m->mask < UINT32_MAX / 2)
        m->mask = m->mask * 2 + 1;
    m->slots = xreallocarray(NULL, (size_t)m->mask + 1, sizeof *m->slots);
    memset(m->slots, 0xff, ((size_t)m->mask + 1) * sizeof *m->slots);
}

static uint32_t hash_child(uint32_t parent, uint32_t function, bool inlined)
{
    uint64_t key = ((uint64_t)parent << 32 | function) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(key >> 32) ^ inlined;
}

static uint32_t new_node(struct tree *t, uint32_t parent, uint32_t function, bool inlined)
{
    t->nodes[t->n] = (struct tree_node){.function = function,
                                        .parent = parent,
                                        .first_child = CPROF_NONE,
                                        .next = CPROF_NONE,
                                        .inlined = inlined};
    return t->n++;
}

static uint32_t child_of(struct tree_maker *c, uint32_t parent, uint32_t function, bool inlined)
{
    struct tree *t = c->tree;
    uint32_t hash = hash_child(parent, function, inlined), i = hash & c->mask;

    for (; c->slots[i].node != CPROF_NONE; i = (i + 1) & c->mask) {
        const struct tree_node *node = &t->nodes[c->slots[i].node];

        if (c->slots[i].hash == hash && node->parent == parent && node->function == function &&
            node->inlined == inlined)
            return c->slots[i].node;
    }
    c->slots[i] = (struct child_slot){hash, new_node(t, parent, function, inlined)};
    return c->slots[i].node;
}

static void add_context(struct tree *t, uint32_t node, const struct cprof_context *context)
{
    const struct cprof_profile *p = t->profile;

    calls_add(&t->nodes[node].calls, context->calls);
    for (uint32_t i = 0; i < context->n_costs; i++)
        counts_add(t->self + (size_t)node * p->n_events,
                   cprof_context_values(p, context->first_cost + i), p->n_events);
}

/* Links children to their parents, in the order of nodes, and adds up inclusive costs. */
static void finish(struct tree *t)
{
    uint32_t n_events = t->profile->n_events;

    t->inclusive = xreallocarray(NULL, (size_t)t->n * n_events, sizeof *t->inclusive);
    memcpy(t->inclusive, t->self, (size_t)t->n * n_events * sizeof *t->inclusive);
    for (uint32_t i = t->n; i-- > 1;) {
        struct tree_node *node = &t->nodes[i], *parent = &t->nodes[node->parent];

        if (i > AHEAD) {
            uint32_t ahead = t->nodes[i - AHEAD].parent;

            if (ahead != CPROF_NONE) {
                prefetch_write(&t->nodes[ahead]);
                prefetch_write(&t->inclusive[(size_t)ahead * n_events]);
            }
        }
        node->next = parent->first_child;
        parent->first_child = i;
        counts_add(t->inclusive + (size_t)node->parent * n_events, tree_inclusive(t, i), n_events);
    }
}

void tree_make_begin(struct tree_maker *m, struct tree *t, const struct cprof_profile *p,
                     size_t n_most)
{
    *m = (struct tree_maker){.tree = t};
    make_slots(m, n_most);
    *t = (struct tree){.profile = p};
    t->nodes = xreallocarray(NULL, n_most + 1, sizeof *t->nodes);
    t->self = xcalloc((n_most + 1) * p->n_events, sizeof *t->self);
    new_node(t, CPROF_NONE, CPROF_NONE, false);
}

void tree_make_end(struct tree_maker *m)
{
    struct tree *t = m->tree;

    free(m->slots);
    for (uint32_t i = 1; i < t->n; i++)
        if (t->nodes[i].fold)
            t->nodes[i].function = 0;
    finish(t);
}

/* The slot where the search for context `c` begins. The node of its parent is known. */
static const struct child_slot *place_of(const struct tree_maker *children, const uint32_t *nodes,
                                         const struct cprof_context *c, const uint32_t *same)
{
    uint32_t function = same ? same[c->function] : c->function;

    return &children->slots[hash_child(nodes[c->parent], function, c->inlined) & children->mask];
}

/* Prefetches the node of the parent of context `i`. */
PREFETCH_INLINE void fetch_parent(const struct cprof_profile *p, uint32_t i, const uint32_t *nodes)
{
    if (i < p->n_contexts && p->contexts[i].parent != CPROF_NONE)
        prefetch_read(&nodes[p->contexts[i].parent]);
}

/* Where `same` is NULL, every function is itself. */
static void load_paths(struct tree *t, const struct cprof_profile *p, const uint32_t *same)
{
    uint32_t *nodes = xreallocarray(NULL, p->n_contexts, sizeof *nodes);
    struct tree_maker children;

    tree_make_begin(&children, t, p, p->n_contexts);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        fetch_parent(p, i + 2 * AHEAD, nodes);
        if (p->n_contexts - i > AHEAD && c[AHEAD].parent < i)
            prefetch_write(place_of(&children, nodes, &c[AHEAD], same));
        nodes[i] = child_of(&children, c->parent == CPROF_NONE ? 0 : nodes[c->parent],
                            same ? same[c->function] : c->function, c->inlined);
        add_context(t, nodes[i], c);
    }
    free(nodes);
    tree_make_end(&children);
}

static void load_rows(struct tree *t, const struct rows *rows, const uint32_t *same)
{
    const struct cprof_profile *p = rows->profile;
    bool calls_known = rows_width(p) > p->n_events;
    struct tree_maker children;

    tree_make_begin(&children, t, p, rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->items[i];
        uint32_t node = child_of(&children, 0, same ? same[r->function] : r->function, false);

        counts_add(t->self + (size_t)node * p->n_events, r->counts, p->n_events);
        if (calls_known)
            calls_add(&t->nodes[node].calls, (uint64_t)r->counts[2 * p->n_events]);
    }
    tree_make_end(&children);
}

void tree_load(struct tree *t, const struct cprof_profile *p)
{
    load_paths(t, p, NULL);
}

void tree_copy(struct tree *t, const struct tree *other)
{
    size_t n = (size_t)other->n * other->profile->n_events;

    *t = *other;
    t->nodes = xreallocarray(NULL, t->n, sizeof *t->nodes);
    t->self = xreallocarray(NULL, n, sizeof *t->self);
    t->inclusive = xreallocarray(NULL, n, sizeof *t->inclusive);
    memcpy(t->nodes, other->nodes, t->n * sizeof *t->nodes);
    memcpy(t->self, other->self, n * sizeof *t->self);
    memcpy(t->inclusive, other->inclusive, n * sizeof *t->inclusive);
}

void tree_load_flat(struct tree *t, const struct rows *rows)
{
    load_rows(t, rows, NULL);
}

void tree_load_same(struct tree *t, const struct rows *rows, const uint32_t *same)
{
    if (rows->profile->n_contexts)
        load_paths(t, rows->profile, same);
    else
        load_rows(t, rows, same);
}

/*--- Node by node ---*/

uint32_t tree_make_child(struct tree_maker *m, uint32_t parent, const struct tree_node *node)
{
    /* A fold has one node below its parent, whatever root its function is. */
    uint32_t function = node->fold ? CPROF_NONE - node->fold : node->function;
    uint32_t child = child_of(m, parent, function, node->inlined);

    m->tree->nodes[child].fold = node->fold;
    return child;
}

void tree_make_add(struct tree_maker *m, uint32_t node, uint64_t calls, const int64_t *self)
{
    struct tree *t = m->tree;

    if (!t->nodes[node].fold)
        calls_add(&t->nodes[node].calls, calls);
    counts_add(t->self + (size_t)node * t->profile->n_events, self, t->profile->n_events);
}

const char *tree_node_name(const struct tree_node *node)
{
    static const char *const names[] = {
        [NODE_FUNCTION] = NULL, [NODE_STARTUP] = "[start-up]", [NODE_THREADS] = "[other threads]"};

    return names[node->fold];
}

uint32_t tree_inlined_child(const struct tree *t, uint32_t node, const struct column *measure,
                            double least, const bool *own)
{
    uint32_t child = CPROF_NONE;

    for (uint32_t c = t->nodes[node].first_child; c != CPROF_NONE; c = t->nodes[c].next) {
        if ((double)column_value(measure, tree_inclusive(t, c)) < least)
            continue;
        if (child != CPROF_NONE)
            return CPROF_NONE;
        child = c;
    }
    if (child == CPROF_NONE || !node || t->nodes[node].fold || !t->nodes[child].inlined)
        return CPROF_NONE;
    return own && own[t->nodes[child].function] ? CPROF_NONE : child;
}

/*--- Order ---*/

/* The order of nodes. */
struct order {
    const struct tree *tree;
    const struct column *measure;
};

/* Compares siblings. Two of equal cost differ in their function, or in being inlined. */
static int compare(const void *a, const void *b, void *context)
{
    const struct order *o = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct tree_node *x_node = &o->tree->nodes[x], *y_node = &o->tree->nodes[y];
    int64_t x_value = column_value(o->measure, tree_inclusive(o->tree, x));
    int64_t y_value = column_value(o->measure, tree_inclusive(o->tree, y));

    COMPARE(y_value, x_value);
    COMPARE(x_node->function, y_node->function);
    return x_node->inlined - y_node->inlined;
}

void tree_sort_children(struct tree *t, uint32_t node, const struct column *measure)
{
    struct order order = {t, measure};
    uint32_t *children, *link = &t->nodes[node].first_child, n = 0;

    for (uint32_t c = *link; c != CPROF_NONE; c = t->nodes[c].next)
        n++;
    if (n < 2)
        return;
    children = xreallocarray(NULL, n, sizeof *children);
    n = 0;
    for (uint32_t c = *link; c != CPROF_NONE; c = t->nodes[c].next)
        children[n++] = c;
    qsort_r(children, n, sizeof *children, compare, &order);
    for (uint32_t i = 0; i < n; i++) {
        *link = children[i];
        link = &t->nodes[children[i]].next;
    }
    *link = CPROF_NONE;
    free(children);
}

void tree_sort(struct tree *t, const struct column *measure)
{
    for (uint32_t i = 0; i < t->n; i++)
        tree_sort_children(t, i, measure);
}

uint32_t tree_next(const struct tree *t, uint32_t node)
{
    if (t->nodes[node].first_child != CPROF_NONE)
        return t->nodes[node].first_child;
    while (node && t->nodes[node].next == CPROF_NONE)
        node = t->nodes[node].parent;
    return t->nodes[node].next;
}

void tree_free(struct tree *t)
{
    free(t->nodes);
    free(t->self);
    free(t->inclusive);
    *t = (struct tree){.n = 0};
}

/*--- The paths below one function ---*/

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
static uint32_t subtree_new_node(struct subtree *b, uint32_t parent, uint32_t function,
                                 bool inlined)
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

/* The child of `parent` that stands for `original`, a node of the whole tree, and for others with
 * the same function. Only the children of one node are made at a time: the child is the function's
 * latest node, or it does not exist yet. */
static uint32_t child_for(struct subtree *b, uint32_t parent, const struct tree_node *original)
{
    uint32_t *latest = &b->latest[2 * (size_t)original->function + original->inlined];

    if (!*latest || b->tree.nodes[*latest].parent != parent)
        *latest = subtree_new_node(b, parent, original->function, original->inlined);
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
    subtree_new_node(b, CPROF_NONE, CPROF_NONE, false);
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
