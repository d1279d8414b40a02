/*
 * diff_names.h - the names that a row of a diff goes by.
 *
 * A row is of a function as the source has it: all instances of a generic function are one row,
 * which has the name that the table of functions has for the one, and the number of instances
 * where there are several.
 */
#ifndef DIFF_DIFF_NAMES_H
#define DIFF_DIFF_NAMES_H

#include "diff/diff.h"
#include "names/names.h"

/* Sets the labels of all rows: in NAME_SHORT the short name of the function that describes the row,
 * in NAME_RAW its linkage name, in NAME_FULL the row's own name. Rows of one place whose short
 * names are equal have their own. */
void diff_set_labels(struct diff *diff, enum name_style style);
/* Sets the aliases of all rows: the names of their functions, short as a table of each profile
 * shows them, and in full. */
void diff_set_aliases(struct diff *diff);

#endif
