/*
 * cp_context.h - the calling-context tree.
 *
 * A node is a call path: its parent's path, a call site, and a function. Recursion is folded: a
 * callee that is on its caller's path already leads back to the node there. Each node has one
 * counter for each slot of its function; a slot is a section, or an access under a guard. Generated
 * code bumps cp_now.counts[slot], having made sure at the start of each block that cp_now is a node
 * of the block's function. Counters have 32 bits, and are emptied into 64-bit sums before they can
 * overflow.
 *
 * What folding loses is kept beside the tree: inclusive cost of a function, or of an edge, is what
 * the totals grew by between the beginning of its outermost activation and its end. The shadow
 * stacks (cp_stack.h) say when that is.
 */
#ifndef CP_CONTEXT_H
#define CP_CONTEXT_H

#include "cp_function.h"
#include "cp_tool.h"

typedef struct Node {
    Function *function;
    struct Node *parent;
    struct Node *next; /* of the same function */
    Addr site; /* address of the call; 0: a jump, or a root; the number of a thread's root */
    ULong calls;
    UInt *counts;            /* by slot */
    ULong *sums;             /* what was taken out of the counters; NULL: nothing */
    struct Child *jumped_to; /* by the last jump out of it; NULL: none yet */
    UInt id;                 /* its index */
} Node;

static inline ULong cp_node_counted(const Node *n, UInt slot)
{
    return n->counts[slot] + (UNLIKELY(n->sums != NULL) ? n->sums[slot] : 0);
}

/* All calls (or jumps: site 0) of one function from one place of another. */
typedef struct {
    Addr site;
    Function *caller, *callee;
    ULong calls;
    Activity activity;
} Edge;

/* Where (parent, site, function) leads to. */
typedef struct Child {
    Node *parent;
    Addr site;
    Function *function;
    Node *node;
    Edge *edge;
} Child;

/* What generated code and the models use: the current context. */
typedef struct {
    Function *function; /* the current node's; NULL while it is open which function comes next */
    UInt *counts;       /* the current node's */
    Node *node;
} Now;
extern Now cp_now;

/* Everything counted so far, by column; kept by generated code and the models. */
extern ULong cp_totals[CP_COLUMNS];
extern UInt cp_n_totals; /* columns up to the last one that the profile has */

/* Whether counts are kept; where not, generated code bumps counters that nobody reads. */
extern Bool cp_collecting;
extern UInt *cp_unread;

static inline void cp_enter(Node *node)
{
    cp_now.node = node;
    cp_now.function = node->function;
    cp_now.counts = LIKELY(cp_collecting) ? node->counts : cp_unread;
}

/* Switches counting. No activation may be open. */
void cp_context_collect(Bool on);

/* A new slot for each node of the function. */
UInt cp_context_slot(Function *function);

/*
 * To be called while no block runs, with the number of blocks done so far, every 2^30 at least: no
 * counter grows by more than one while a block is done.
 */
void cp_context_drain(ULong blocks);

/* In each node of the function: adds `times` what `from` has counted to slot `to`; or sets a slot
 * to 0. No block runs. */
void cp_context_add_slot(Function *function, UInt to, UInt from, ULong times);
void cp_context_clear_slot(Function *function, UInt slot);

/*
 * Where a call of `function` from `site` leads to in `parent`, made where it is new. When there are
 * as many nodes as --max-contexts allows, all further ones are folded into one node per function,
 * under a root of their own.
 */
Child *cp_context_child(Node *parent, Addr site, Function *function);

/* The root of a thread's paths. */
Node *cp_context_root(UInt thread);

/* Begins, or ends, one activation. Inclusive cost is added up when the outermost ends. */
static inline void cp_activity_open(Activity *a)
{
    if (a->live++)
        return;
    a->columns[0].mark = cp_totals[0];
    for (UInt i = 1; i < cp_n_totals; i++)
        a->columns[i].mark = cp_totals[i];
}

static inline void cp_activity_close(Activity *a)
{
    if (--a->live || !cp_collecting)
        return;
    a->columns[0].inclusive += cp_totals[0] - a->columns[0].mark;
    for (UInt i = 1; i < cp_n_totals; i++)
        a->columns[i].inclusive += cp_totals[i] - a->columns[i].mark;
}

/* Instructions counted so far: the running total with contexts; else added up, which takes time. */
ULong cp_context_ir(void);

/* Forgets all costs and calls. No activation may be open. */
void cp_context_reset(void);

/* Set by cp_main: forgets what is counted by (context, site), as a part of that. */
extern void (*cp_context_forget_misses)(void);

/* Where contexts are off, one node has all costs. */
void cp_context_init(void);

/* Nodes, parents before their children, and edges, in the order they were made. */
UInt cp_node_count(void);
Node *cp_node(UInt index);
UInt cp_edge_count(void);
const Edge *cp_edge(UInt index);

/* True where --max-contexts was reached. */
extern Bool cp_context_overflowed;

#endif
