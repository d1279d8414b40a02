/*
 * json_tree.h - call paths as one JSON value, a line for each node, written during the walk: there
 * may be many nodes, and deep ones.
 */
#ifndef JSON_JSON_TREE_H
#define JSON_JSON_TREE_H

#include "paths/tree.h"
#include "table/columns.h"

#include <stdio.h>

/* Writes {"name", "calls", "self", "inclusive", "children"}; the root is called "[program]". */
void json_tree(const struct tree *tree, const struct column_list *columns, FILE *out);

#endif
