#include <config.h>

#include "paths/startup.h"

#include "base/counts.h"
#include "base/memory.h"
#include "names/crates.h"

#include <stdlib.h>

/* A node's relation to the first own function on its path. */
enum relation {
    ABOVE,     /* start-up: none so far, and some below the thread's root */
    ENTRY,     /* it is this one */
    UNCHANGED, /* below it; or a thread without own code, or no thread */
};

struct folding {
    const struct tree *from;
    const bool *own;
    bool threads;
    unsigned char *relations;
    uint32_t n_others; /* threads without own code */
};

/* The roots of threads are called so, as the tool writes them; samples may have none. */
static bool is_thread(const struct tree *t, uint32_t node)
{
    return root_is_thread(&t->profile->functions[t->nodes[node].function]);
}

/* Finds which nodes have an own function at or below them. */
static bool *find_owners(const struct folding *f)
{
    const struct tree *t = f->from;
    bool *has = xcalloc(t->n, sizeof *has);

    for (uint32_t i = t->n; i-- > 1;) {
        has[i] |= root_may_be(t->profile, f->own, t->nodes[i].function);
        has[t->nodes[i].parent] |= has[i];
    }
    return has;
}

/* Tells if the paths from a root on, which has an own function below it, begin with start-up. */
static bool begins_above(const struct folding *f, uint32_t root)
{
    const struct tree *t = f->from;

    return is_thread(t, root) || (t->profile->sampled && !f->threads &&
                                  !root_may_be(t->profile, f->own, t->nodes[root].function));
}

/* Returns false where nothing is to be folded. */
static bool relate(struct folding *f)
{
    const struct tree *t = f->from;
    bool *has = find_owners(f), any = false;

    f->relations = xcalloc(t->n, sizeof *f->relations);
    for (uint32_t i = 1; i < t->n; i++) {
        const struct tree_node *node = &t->nodes[i];

        if (node->parent == 0) {
            f->relations[i] = has[i] && begins_above(f, i) ? ABOVE : UNCHANGED;
            f->n_others += is_thread(t, i) && !has[i];
        } else if (f->relations[node->parent] != ABOVE) {
            f->relations[i] = UNCHANGED;
        } else {
            f->relations[i] = root_may_be(t->profile, f->own, node->function) ? ENTRY : ABOVE;
        }
        any |= f->relations[i] == ENTRY;
    }
    free(has);
    return any;
}

/* The trees, and what becomes of each node of the first. */
struct copying {
    const struct folding *folding;
    struct tree_maker maker;
    uint32_t *nodes; /* 0: a root whose start-up has no node yet */
    uint32_t *tops;  /* the node that own functions below it are put on */
};

/* The node that stands for a root in its start-up. One without any cost is not made. */
static uint32_t startup_of(struct copying *c, uint32_t root)
{
    const struct tree_node node = {.fold = NODE_STARTUP};
    const struct tree *from = c->folding->from;
    uint32_t startup = tree_make_child(&c->maker, c->tops[root], &node);

    return is_thread(from, root) ? startup
                                 : tree_make_child(&c->maker, startup, &from->nodes[root]);
}

static void copy_root(struct copying *c, uint32_t i)
{
    const struct folding *f = c->folding;
    struct tree_node node = f->from->nodes[i];

    if (f->relations[i] != ABOVE) {
        if (is_thread(f->from, i) && f->n_others > 1 && !f->threads)
            node.fold = NODE_THREADS;
        c->nodes[i] = tree_make_child(&c->maker, 0, &node);
        return;
    }
    c->tops[i] = f->threads ? tree_make_child(&c->maker, 0, &node) : 0;
    c->nodes[i] =
        counts_any(tree_self(f->from, i), f->from->profile->n_events) ? startup_of(c, i) : 0;
}

static void copy_node(struct copying *c, uint32_t i)
{
    const struct folding *f = c->folding;
    const struct tree_node *node = &f->from->nodes[i];
    uint32_t parent = c->nodes[node->parent];

    c->tops[i] = c->tops[node->parent];
    if (node->parent == 0) {
        copy_root(c, i);
    } else {
        if (f->relations[i] == ENTRY)
            parent = c->tops[i];
        else if (!parent)
            parent = c->nodes[node->parent] = startup_of(c, node->parent);
        c->nodes[i] = tree_make_child(&c->maker, parent, node);
    }
    if (c->nodes[i])
        tree_make_add(&c->maker, c->nodes[i], node->calls, tree_self(f->from, i));
}

void startup_fold(struct tree *t, const bool *own, bool threads)
{
    struct folding f = {.from = t, .own = own, .threads = threads};
    struct copying c = {.folding = &f};
    struct tree folded;

    if (!relate(&f)) {
        free(f.relations);
        return;
    }
    c.nodes = xcalloc(t->n, sizeof *c.nodes);
    c.tops = xcalloc(t->n, sizeof *c.tops);
    /* at most two nodes for each thread */
    tree_make_begin(&c.maker, &folded, t->profile, 2 * (size_t)t->n);
    for (uint32_t i = 1; i < t->n; i++)
        copy_node(&c, i);
    tree_make_end(&c.maker);
    tree_free(t);
    *t = folded;
    free(c.nodes);
    free(c.tops);
    free(f.relations);
}

/*--- Own code alone ---*/

void own_tree_load(struct tree *tree, const struct tree *all, const bool *own)
{
    uint32_t *nodes = xcalloc(all->n, sizeof *nodes); /* where each node of `all` has gone */
    struct tree_maker maker;

    tree_make_begin(&maker, tree, all->profile, all->n);
    for (uint32_t i = 1; i < all->n; i++) {
        const struct tree_node *node = &all->nodes[i];
        uint32_t parent = nodes[node->parent];
        bool kept = node->parent == 0 || node->fold || own[node->function];

        nodes[i] = kept ? tree_make_child(&maker, parent, node) : parent;
        tree_make_add(&maker, nodes[i], kept ? node->calls : 0, tree_self(all, i));
    }
    tree_make_end(&maker);
    free(nodes);
}
