/*
 * own_tree.h - a tree of call paths that has own code alone.
 *
 * Each own function is a node below the nearest own function above it on the path. What all other
 * code cost is the own cost of the nearest node above it. The children of the root stay, whatever
 * they are: threads, start-up.
 */
#ifndef PATHS_OWN_TREE_H
#define PATHS_OWN_TREE_H

#include "paths/tree.h"

/* `own` has a flag for each function of the profile. Children have no order. */
void own_tree_load(struct tree *tree, const struct tree *all, const bool *own);

#endif
