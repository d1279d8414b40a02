/*
 * json_tree.h - call paths as one JSON value, a line for each node, written as it is gone through:
 * there may be many, and deep.
 */
#ifndef JSON_JSON_TREE_H
#define JSON_JSON_TREE_H

#include "table/columns.h"
#include "paths/tree.h"

#include <stdio.h>

/* {"name", "calls", "self", "inclusive", "children"}; the root of all is called "[program]". */
void json_tree(const struct tree *tree, const struct column *const *columns, size_t n_columns,
               FILE *out);

#endif
