/*
 * path_tree.h - call paths as an indented tree.
 *
 *     100.0     0.0         1  main
 *      98.0    12.0        10  ├─ train
 *      50.0    10.0       500  │  ├─ forward
 *      30.0    30.0       500  │  └─ backward
 *      30.0    30.0       500  │     › dot
 *
 * A path that does not branch goes straight down, below the name it begins with, behind an arrow.
 * With chains, inlined functions that are each the only one below another stand in its row, "dot ›
 * next › zip", with the own cost of them all.
 */
#ifndef TEXT_PATH_TREE_H
#define TEXT_PATH_TREE_H

#include "paths/tree.h"
#include "render/text/table_text.h"
#include "table/columns.h"

#include <stdbool.h>
#include <stdio.h>

struct path_tree {
    const struct tree *tree;      /* sorted */
    const char *const *labels;    /* by the function's index in the profile, clean */
    const struct column *measure; /* an own cost */
    double threshold;             /* percent of the program: smaller nodes are left out */
    bool chains;                  /* functions that are inlined one into the other are one row */
    const bool *own; /* functions that begin a row, by index in the profile; NULL: none */
    struct text_screen screen;
};

/* Writes the head, the nodes, and how many were left out. */
void path_tree_write(const struct path_tree *path_tree, FILE *out);

#endif
