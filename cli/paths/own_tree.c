#include <config.h>

#include "paths/own_tree.h"

#include "base/memory.h"

#include <stdlib.h>

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
