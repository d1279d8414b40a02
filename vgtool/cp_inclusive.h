/*
 * cp_inclusive.h - inclusive costs: what is executed while a function, or an edge, is on the
 * running thread's stack. Each instruction counts once.
 *
 * As long as the functions on the stack are those on the path of the current context, the inclusive
 * cost of a function is the sum over its nodes and what is below them. A call that leads back to an
 * ancestor hides the functions in between, and their edges: they stay on the stack, but are on the
 * path no more. Its own edge is not on the path either. What is hidden has an activity while it is
 * so, and the growth of the totals in that time is added to the sum. A hidden function that is
 * called again is on the path again, and not hidden until that call returns.
 *
 * Where the frames of a stack are changed in other ways (entries of sections, fibres that go on,
 * more contexts than are allowed), path and stack have different functions. From then on each frame
 * is an activity of its function and of its edge, and the sums so far are kept.
 */
#ifndef CP_INCLUSIVE_H
#define CP_INCLUSIVE_H

#include "cp_context.h"

/* The slow halves of those below. */
Bool cp_inclusive_open_watched(const Child *c);
void cp_inclusive_close(const Child *c);

/* Begins an activation of the child. True if its end has to be told by cp_inclusive_close().
 * Activations end in the reverse order. */
static inline Bool cp_inclusive_open(const Child *c)
{
    return UNLIKELY(c->watched) && cp_inclusive_open_watched(c);
}

/* Add up the tree: call cp_inclusive_add_node() for each node in between. Nothing is open, and what
 * follows is right until something opens. */
void cp_inclusive_begin_sum(void);
void cp_inclusive_add_node(const Node *n);
void cp_inclusive_end_sum(void);

/* The inclusive cost of a function or an edge. */
static inline ULong cp_inclusive(const Activity *a, UInt column)
{
    return a->columns[column].inclusive + (cp_inclusive_by_tree ? a->columns[column].tree : 0);
}

/* From here on frames have the inclusive costs. Nothing is open. */
void cp_inclusive_leave_tree(void);

/* For tests: prints each function whose inclusive cost is not what cp_stack_walk() counted. Nothing
 * is open. */
void cp_inclusive_compare(void);

#endif
