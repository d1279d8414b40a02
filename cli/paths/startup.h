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

#include "names/crates.h"
#include "paths/tree.h"

/*
 * The functions that paths may begin at, a flag for each function of the profile: those of the
 * user's own crates, but for those of the C runtime that are linked into a program; and what stands
 * for the beginning of a stack that was cut off. The caller frees it.
 */
bool *startup_own(const struct cprof_profile *profile, const struct crates *crates);

/* Folds the tree of all paths, or leaves it as it is where no own code ran. With `threads` each
 * thread is a node of its own. Children have no order. */
void startup_fold(struct tree *tree, const bool *own, bool threads);

#endif
