#include <config.h>

#include "diff/why_tree.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"
#include "names/crates.h"
#include "names/object_name.h"
#include "paths/tree.h"

#include <stdlib.h>
#include <string.h>

/*--- Recursion ---*/

/* How often one function called another: by the profile's calls, or by call paths. */
struct pair_calls {
    uint64_t pair, calls;
};

struct pairs {
    size_t n;
    struct pair_calls *items;
};

static uint64_t pair_of(uint32_t caller, uint32_t callee)
{
    return (uint64_t)caller << 32 | callee;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct pair_calls *x = a, *y = b;

    COMPARE(x->pair, y->pair);
    return 0;
}

static void pairs_sum(struct pairs *pairs)
{
    size_t n = 0;

    sort_items(pairs->items, pairs->n, sizeof *pairs->items, compare_pairs);
    for (size_t i = 0; i < pairs->n; i++) {
        if (n && pairs->items[n - 1].pair == pairs->items[i].pair)
            calls_add(&pairs->items[n - 1].calls, pairs->items[i].calls);
        else
            pairs->items[n++] = pairs->items[i];
    }
    pairs->n = n;
}

static bool is_before(const void *item, const void *key)
{
    return ((const struct pair_calls *)item)->pair < *(const uint64_t *)key;
}

static uint64_t pairs_find(const struct pairs *pairs, uint64_t pair)
{
    size_t i = lower_bound(pairs->items, pairs->n, sizeof *pairs->items, is_before, &pair);

    return i < pairs->n && pairs->items[i].pair == pair ? pairs->items[i].calls : 0;
}

static void pairs_of_calls(struct pairs *pairs, const struct cprof_profile *p, const uint32_t *same)
{
    *pairs = (struct pairs){.items = xcalloc((size_t)p->n_calls + 1, sizeof *pairs->items)};
    for (uint32_t i = 0; i < p->n_calls; i++)
        if (!p->calls[i].inlined)
            pairs->items[pairs->n++] = (struct pair_calls){
                pair_of(same[p->calls[i].caller], same[p->calls[i].callee]), p->calls[i].count};
    pairs_sum(pairs);
}

static uint64_t pair_of_node(const struct tree *t, uint32_t node)
{
    return pair_of(t->nodes[t->nodes[node].parent].function, t->nodes[node].function);
}

static void pairs_of_paths(struct pairs *pairs, const struct tree *t)
{
    *pairs = (struct pairs){.items = xcalloc((size_t)t->n + 1, sizeof *pairs->items)};
    for (uint32_t i = 1; i < t->n; i++)
        if (!t->nodes[i].inlined && t->nodes[i].parent)
            pairs->items[pairs->n++] = (struct pair_calls){pair_of_node(t, i), t->nodes[i].calls};
    pairs_sum(pairs);
}

/* The calls of each node from outside of its recursion. Where several paths lead from one
 * function to another, they get equal parts of what is known for all. */
static uint64_t *find_outer_calls(const struct tree *t, const uint32_t *same)
{
    uint64_t *outer = xcalloc(t->n, sizeof *outer);
    struct pairs calls, paths;

    pairs_of_calls(&calls, t->profile, same);
    pairs_of_paths(&paths, t);
    for (uint32_t i = 1; i < t->n; i++) {
        const struct tree_node *node = &t->nodes[i];
        uint64_t known, all;

        outer[i] = node->calls;
        if (node->inlined || !node->parent || !node->calls)
            continue;
        known = pairs_find(&calls, pair_of_node(t, i));
        all = pairs_find(&paths, pair_of_node(t, i));
        if (known && known < all)
            outer[i] = (uint64_t)((unsigned __int128)node->calls * known / all);
    }
    free(calls.items);
    free(paths.items);
    return outer;
}

/*--- The tree ---*/

/* For each function the first one of its row; all threads but the first are one. */
static uint32_t *find_same(const struct diff *d, enum diff_side side)
{
    const struct cprof_profile *p = d->profile[side];
    uint32_t *same = new_indices(p->n_functions), *first = new_indices(d->n_all);
    uint32_t thread = CPROF_NONE;

    for (uint32_t f = 0; f < p->n_functions; f++) {
        uint32_t row = d->row_of[side][f];

        same[f] = f;
        if (root_is_thread(&p->functions[f]) && !root_is_first_thread(&p->functions[f])) {
            thread = thread == CPROF_NONE ? f : thread;
            same[f] = thread;
        } else if (row != CPROF_NONE) {
            first[row] = first[row] == CPROF_NONE ? f : first[row];
            same[f] = first[row];
        }
    }
    free(first);
    return same;
}

/* A tree while it is copied. */
struct copying {
    const struct diff *diff;
    enum diff_side side;
    const struct tree *from;
    const uint64_t *outer;
    const struct column *measure;
    const bool *own;
    struct why_tree *to;
};

static uint32_t id_of(const struct copying *c, uint32_t function)
{
    const struct cprof_profile *p = c->from->profile;
    uint32_t row = c->diff->row_of[c->side][function];

    if (root_is_thread(&p->functions[function]) && !root_is_first_thread(&p->functions[function]))
        return (uint32_t)c->diff->n_all + WHY_ID_THREADS;
    return row == CPROF_NONE ? (uint32_t)c->diff->n_all + WHY_ID_OTHERS : row;
}

static void fill(const struct copying *c, const struct tree *hung)
{
    struct why_tree *to = c->to;

    to->n = hung->n;
    to->nodes = xcalloc(to->n, sizeof *to->nodes);
    for (uint32_t i = 0; i < hung->n; i++) {
        const struct tree_node *node = &hung->nodes[i];
        bool root = node->parent == CPROF_NONE;

        to->nodes[i] = (struct why_node){
            .id = root ? CPROF_NONE : id_of(c, node->function),
            .function = node->function,
            .inlined = node->inlined,
            .other = CPROF_NONE,
            .entered = node->calls ? node->calls : 1,
            .inclusive = column_value(c->measure, tree_inclusive(hung, i)),
            .self = column_value(c->measure, tree_self(hung, i)),
            .first_child = node->first_child,
            .next = node->next,
        };
    }
}

/* Sets the calls from outside, which `outer` has for nodes of the tree that was copied; `copies`
 * are the nodes that stand for them. Parents stand before their children. */
static void set_calls(const struct copying *c, const struct tree *hung, const uint32_t *copies)
{
    struct why_node *nodes = c->to->nodes;

    for (uint32_t i = 1; i < c->from->n; i++)
        calls_add(&nodes[copies[i]].calls, c->outer[i]);
    for (uint32_t i = 0; i < hung->n; i++) {
        if (i && (hung->nodes[i].inlined || !hung->nodes[i].calls))
            nodes[i].calls = nodes[i].entered = nodes[hung->nodes[i].parent].calls;
        else if (!nodes[i].calls)
            nodes[i].calls = 1;
    }
}

static bool is_of_libc(const struct cprof_profile *p, uint32_t function)
{
    uint32_t object = function == CPROF_NONE ? CPROF_NONE : p->functions[function].object;

    return object != CPROF_NONE && crates_is_libc(p->objects[object].path);
}

/* True where a function of libc jumped into the code of one for some processors. */
static bool is_rest_of_variant(const struct tree *t, const struct tree_node *node)
{
    const struct cprof_profile *p = t->profile;
    const char *name;
    char *plain;
    bool is;

    if (node->calls || node->inlined || !node->parent || !is_of_libc(p, node->function) ||
        !is_of_libc(p, t->nodes[node->parent].function))
        return false;
    name = p->functions[node->function].name;
    plain = libc_plain_name(name);
    is = strcmp(plain, name) != 0;
    free(plain);
    return is;
}

/* Copies the tree, with foreign code that was inlined hung to what it was compiled into, and what a
 * variant of a function of libc jumped into as a part of that. */
static void copy(const struct copying *c)
{
    const struct tree *from = c->from;
    uint32_t *copies = xreallocarray(NULL, from->n, sizeof *copies);
    uint32_t *at = xreallocarray(NULL, from->n, sizeof *at); /* where children are to be hung */
    struct tree_maker maker;
    struct tree hung;

    tree_make_begin(&maker, &hung, from->profile, from->n);
    at[0] = copies[0] = 0;
    for (uint32_t i = 1; i < from->n; i++) {
        const struct tree_node *node = &from->nodes[i];
        uint32_t parent = at[node->parent];

        copies[i] = is_rest_of_variant(from, node) ? parent : tree_make_child(&maker, parent, node);
        tree_make_add(&maker, copies[i], node->calls, tree_self(from, i));
        at[i] = node->inlined && parent && !c->own[node->function] ? parent : copies[i];
    }
    tree_make_end(&maker);
    fill(c, &hung);
    set_calls(c, &hung, copies);
    tree_free(&hung);
    free(copies);
    free(at);
}

void why_tree_load(struct why_tree *t, const struct diff *d, enum diff_side side,
                   const struct column *measure, const bool *own)
{
    const struct rows paths = {.profile = d->profile[side]};
    struct columns columns;
    struct tree all;
    uint32_t *same = find_same(d, side);
    uint64_t *outer;

    *t = (struct why_tree){.profile = d->profile[side]};
    columns_load(&columns, events_of(d->profile[side]));
    tree_load_same(&all, &paths, same);
    outer = find_outer_calls(&all, same);
    copy(&(struct copying){d, side, &all, outer, columns_find(&columns, measure->name), own, t});
    free(outer);
    tree_free(&all);
    free(same);
    columns_free(&columns);
}

void why_tree_free(struct why_tree *t)
{
    free(t->nodes);
    *t = (struct why_tree){.n = 0};
}

/*--- Changes ---*/

static uint32_t *link_to(struct why_tree *t, uint32_t parent, uint32_t child)
{
    uint32_t *link = &t->nodes[parent].first_child;

    while (*link != child)
        link = &t->nodes[*link].next;
    return link;
}

static void unlink_child(struct why_tree *t, uint32_t parent, uint32_t child)
{
    *link_to(t, parent, child) = t->nodes[child].next;
}

static uint32_t find_child(const struct why_tree *t, uint32_t parent, uint32_t id, bool inlined)
{
    uint32_t c = t->nodes[parent].first_child;

    while (c != CPROF_NONE && (t->nodes[c].id != id || t->nodes[c].inlined != inlined))
        c = t->nodes[c].next;
    return c;
}

/* Inlined code runs as often as what it is in. */
static void pass_calls(struct why_tree *t, uint32_t parent)
{
    for (uint32_t c = t->nodes[parent].first_child; c != CPROF_NONE; c = t->nodes[c].next)
        if (t->nodes[c].inlined) {
            t->nodes[c].calls = t->nodes[c].entered = t->nodes[parent].calls;
            pass_calls(t, c);
        }
}

static void move_children(struct why_tree *t, uint32_t from, uint32_t to);

/* Adds a node, which is in no tree any more, to another one of its function. */
static void merge(struct why_tree *t, uint32_t to, uint32_t node)
{
    calls_add(&t->nodes[to].calls, t->nodes[node].calls);
    calls_add(&t->nodes[to].entered, t->nodes[node].entered);
    count_add(&t->nodes[to].self, t->nodes[node].self);
    count_add(&t->nodes[to].inclusive, t->nodes[node].inclusive);
    move_children(t, node, to);
}

static void move_children(struct why_tree *t, uint32_t from, uint32_t to)
{
    for (uint32_t c = t->nodes[from].first_child, next; c != CPROF_NONE; c = next) {
        uint32_t equal = find_child(t, to, t->nodes[c].id, t->nodes[c].inlined);

        next = t->nodes[c].next;
        if (equal != CPROF_NONE) {
            merge(t, equal, c);
        } else {
            t->nodes[c].next = t->nodes[to].first_child;
            t->nodes[to].first_child = c;
        }
    }
}

uint32_t why_tree_inline(struct why_tree *t, uint32_t parent, uint32_t child, bool own)
{
    uint32_t there = find_child(t, parent, t->nodes[child].id, true);

    if (!own) {
        move_children(t, child, parent);
        t->nodes[child].first_child = CPROF_NONE;
        t->nodes[child].inclusive = t->nodes[child].self;
    }
    if (there != CPROF_NONE) {
        unlink_child(t, parent, child);
        merge(t, there, child);
    } else {
        there = child;
    }
    t->nodes[there].inlined = true;
    pass_calls(t, parent);
    return there;
}

void why_tree_absorb(struct why_tree *t, uint32_t parent, uint32_t child)
{
    unlink_child(t, parent, child);
    count_add(&t->nodes[parent].self, t->nodes[child].self);
    move_children(t, child, parent);
    pass_calls(t, parent);
}
