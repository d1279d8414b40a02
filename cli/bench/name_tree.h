/*
 * name_tree.h - names that a harness draws as a tree:
 *
 *     sorting
 *     ├─ merge
 *     │  ├─ 10
 *     │  ╰─ 100
 *     ╰─ quick
 *
 * The path of a leaf is its name, "sorting::merge::10". What else is printed between the lines is
 * no tree's: a line counts where it begins with drawn branches, or at the left with a name alone. A
 * leaf that is "(ignored)" does not count.
 */
#ifndef BENCH_NAME_TREE_H
#define BENCH_NAME_TREE_H

#include "base/options.h"

#include <stddef.h>

struct name_node {
    char *path;
    size_t depth; /* columns before the name */
};

/* Zero-initialised is empty. */
struct name_tree {
    size_t n, room;
    struct name_node *items; /* in the order of the lines */
};

/* Takes in a line. */
void name_tree_line(struct name_tree *tree, const char *line);
/* Adds the paths of the leaves of `listed` to `names`, in memory of their own. Where `run`, drawn
 * by a run of them all, has leaves below one, they stand in its place; NULL: nothing is known. */
void name_tree_names(const struct name_tree *listed, const struct name_tree *run,
                     struct string_list *names);
void name_tree_free(struct name_tree *tree);

#endif
