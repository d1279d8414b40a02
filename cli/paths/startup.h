/*
 * startup.h - a tree of call paths that begins at the program's own code.
 *
 * Paths of Rust programs begin with some twenty functions that only start the program or a thread:
 * _start, __libc_start_main, lang_start, catch_unwind, ... Here each path begins at the first own
 * function on it. All that is above such functions, with what it called besides, is one node, the
 * start-up, whose children are the paths as they are. So the costs of both add up to the thread's.
 *
 * Threads that begin at the same own function become one, unless they are kept apart. Those that
 * never run own code have no start-up: all their paths are kept, and such threads are one node.
 */
#ifndef PATHS_STARTUP_H
#define PATHS_STARTUP_H

#include "paths/tree.h"

/* Folds the tree of all paths, or leaves it as it is where no own code ran. `own` has a flag for
 * each function of the profile; what stands for the beginning of a stack that was cut off is
 * begun at, too. With `threads` each thread is a node of its own. Children have no order. */
void startup_fold(struct tree *tree, const bool *own, bool threads);

/*--- Own code alone ---*/

/*
 * Each own function is a node below the nearest own function above it on the path. What all other
 * code cost is the own cost of the nearest node above it. The children of the root stay, whatever
 * they are: threads, start-up.
 */

/* `own` has a flag for each function of the profile. Children have no order. */
void own_tree_load(struct tree *tree, const struct tree *all, const bool *own);

#endif
