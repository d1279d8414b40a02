/*
 * cp_context.h - the calling-context tree.
 *
 * A node is a context: its parent, a call site, and a function. Recursion is folded: where the
 * callee is on its caller's call path already, the call leads back to the node there. Each node has
 * one counter for each slot of its function. A slot belongs to a basic block or to an access point
 * under a guard. Generated code bumps the counter of the current context; the start of each
 * superblock makes sure that this is a node of its function. Counters have 32 bits, and are emptied
 * into 64-bit sums before they can overflow.
 *
 * The first counters of a node lie behind its record, the further ones in an array that moves when
 * it grows.
 *
 * Folding loses inclusive costs; cp_inclusive.h says how they are kept.
 */
#ifndef CP_CONTEXT_H
#define CP_CONTEXT_H

#include "cp_function.h"
#include "cp_tool.h"

/*
 * A child: what calls of a function from a site in a context lead to. Mostly that is a node of its
 * own, which is in the same record; where the call leads back to an ancestor, it is the ancestor's.
 * All that copies touch at most calls and returns begins a line of the host's caches, in which the
 * first counters follow.
 */
typedef struct Node {
    struct Node *node;      /* the node that it leads to: mostly itself */
    struct Node *counted;   /* where generated code counts: itself, or cp_unread when it was entered
                               last */
    ULong *sums;            /* taken out of the counters; NULL: nothing */
    struct Node *jumped_to; /* by the last jump out of it; NULL: none yet */
    struct Node *stubbed; /* the first of the stubs' that it has jumped to; NULL: none (cp_near.h);
                             of a stub's: cp_node_beside() */
    struct Edge *edge;    /* from its parent; NULL: it is a root */
    Addr site; /* address of the call; 0: a jump, or a root; of a thread's root: its number */
    struct Node *next; /* the next child of the same function */
    Addr entry;        /* the address at which it arrived last, or NO_ENTRY */
    struct Node *parent;
    UInt host; /* the copy of its entry, which is below 4 GB */
    UInt id;   /* its index among nodes; CHILD_FOLDED: it leads back to an ancestor */

    ULong watched; /* 0 or CHILD_WATCHED: its node is another one, its function or its edge was
                      hidden, or arguments of the function are counted */
    ULong calls;   /* that led to the child */
    Function *function;
    struct Node *activation; /* the child itself; NULL: a stub has none */
    UInt *further; /* counters behind the first ones; below lie the children of its further calls,
                      by their slots, downwards; NULL: there are neither */
    UInt first[];  /* counters of a node: Function.first of them; behind them lie the children of
                      its first calls */
} Node;
typedef Node Child;

enum { NODE_LINE = __builtin_offsetof(Node, watched) }; /* begins a line */

#define CHILD_FOLDED ~0U

static inline Bool cp_child_is_folded(const Child *c)
{
    return c->id == CHILD_FOLDED;
}

/*
 * Where a slot's counter lies in a node of the function: at an offset from the node, or from its
 * further counters; and likewise the child of a call.
 */
static inline Bool cp_slot_is_first(const Function *f, UInt slot)
{
    return slot < f->first;
}

static inline Int cp_slot_offset(const Function *f, UInt slot)
{
    return cp_slot_is_first(f, slot) ? (Int)(sizeof(Node) + slot * sizeof(UInt))
                                     : (Int)((slot - f->first) * sizeof(UInt));
}

static inline Bool cp_call_is_first(const Function *f, UInt slot)
{
    return slot < f->first_calls;
}

static inline Int cp_call_offset(const Function *f, UInt slot)
{
    return cp_call_is_first(f, slot)
               ? (Int)(sizeof(Node) + f->first * sizeof(UInt) + slot * sizeof(Child *))
               : -(Int)((slot - f->first_calls + 1) * sizeof(Child *));
}

static inline UInt *cp_node_counter(const Node *n, UInt slot)
{
    const Function *f = n->function;

    return (UInt *)((Addr)(cp_slot_is_first(f, slot) ? (const void *)n : n->further) +
                    (Word)cp_slot_offset(f, slot));
}

/* The child that a call slot of the node has. In a new slot it is one that is watched and leads
 * nowhere. */
static inline Child **cp_node_call(const Node *n, UInt slot)
{
    const Function *f = n->function;

    return (Child **)((Addr)(cp_call_is_first(f, slot) ? (const void *)n : n->further) +
                      (Word)cp_call_offset(f, slot));
}

/*
 * The profile has one context, with one `id`, for all stubs of an ELF file's section that are
 * called from one site of a context, or jumped to from there. Each stub has a node: cp_node() has
 * one of them, and the others follow it.
 */
static inline Node *cp_node_beside(const Node *n)
{
    return n->function->kind == FUNCTION_STUB ? n->stubbed : NULL;
}

static inline ULong cp_node_counted(const Node *n, UInt slot)
{
    return *cp_node_counter(n, slot) + (UNLIKELY(n->sums != NULL) ? n->sums[slot] : 0);
}

/* The first node of a list of children of one function. */
static inline Node *cp_first_node(Child *c)
{
    while (c && c->node != c)
        c = c->next;
    return c;
}

static inline Node *cp_function_nodes(const Function *f)
{
    return cp_first_node(f->children);
}

static inline Node *cp_node_of_same(const Node *n)
{
    return cp_first_node(n->next);
}

/* The index of the first counter from `at` on that is not 0, or the end. Most are 0, in most
 * contexts. */
static inline UInt cp_next_counter(const UInt *counters, UInt at, UInt end)
{
    enum { AT_ONCE = 8 };
    typedef struct {
        ULong words[AT_ONCE / 2];
    } Counts;

    for (Counts c; at + AT_ONCE <= end; at += AT_ONCE) {
        __builtin_memcpy(&c, counters + at, sizeof c);
        if (c.words[0] | c.words[1] | c.words[2] | c.words[3])
            break;
    }
    while (at < end && !counters[at])
        at++;
    return at;
}

/* The first slot from `slot` on that has counted; n_slots of the function: none has. */
static inline UInt cp_node_next(const Node *n, UInt slot)
{
    UInt first = n->function->first, end = n->function->n_slots;
    UInt first_end = first < end ? first : end;

    if (UNLIKELY(n->sums != NULL)) {
        while (slot < end && !cp_node_counted(n, slot))
            slot++;
        return slot;
    }
    if (slot < first_end)
        slot = cp_next_counter(n->first, slot, first_end);
    if (slot < first_end || first_end == end)
        return slot;
    return first + cp_next_counter(n->further, slot - first, end - first);
}

/* All calls (or jumps: site 0) of one function from one site of another. */
typedef struct Edge {
    Addr site;
    Function *caller, *callee;
    ULong calls; /* see cp_context_sum_calls() */
    Activity activity;
    Bool was_hidden; /* by a call that led back to an ancestor */
} Edge;

/* An address that no program can call: not even that of NULL. */
#define NO_ENTRY (1UL << 63)

/* The bit of Frame.is_watched in the word of the return address. */
#define CHILD_WATCHED (1ULL << 63)

/* In place of a child a slot may have a fan of several (cp_near_found.c): only Child.watched,
 * Child.entry and Child.parent may be read, which are those of a child that leads nowhere. */
#define CHILD_IS_FAN 1

/* True if copies find a child of the parent by what a slot has, and may find more beside it. */
static inline Bool cp_child_stays(const Child *last, const Node *parent)
{
    return last->watched == CHILD_IS_FAN || (last->parent == parent && last->entry != NO_ENTRY);
}

/* The current context, for generated code and the models. */
typedef struct {
    Function *function; /* the current node's; NULL while the next function is not known */
    Node *counted;      /* where generated code counts; see cp_counts_in_node */
    Node *node;
    struct Frame *top,
        *end; /* of the running stack (cp_frame.h): behind the last frame, the room */
} Now;
extern Now cp_now;

/* True as long as inclusive costs follow from the tree (cp_inclusive.h). Then generated code
 * enters most nodes without calling a helper. */
extern Bool cp_inclusive_by_tree;

/* All counts so far, by column. Generated code and the models add to them. */
extern ULong cp_totals[CP_COLUMNS];
extern UInt cp_n_totals; /* columns up to the last one that the profile may have */
/* True while generated code adds to them: with contexts, and once a section was entered. */
extern Bool cp_keeps_totals;

/* True while counts are kept. Else generated code bumps counters that nobody reads. */
extern Bool cp_collecting;
extern Node *const cp_unread;

/* True until counting is switched off for the first time: cp_now.counted is cp_now.node. So copies
 * use that alone, and leave the other as it was. */
extern Bool cp_counts_in_node;

/* Call it before generated code enters the node without cp_enter(). */
static inline void cp_node_choose_counted(Node *node)
{
    if (UNLIKELY(!cp_inclusive_by_tree))
        node->counted = cp_collecting ? node : cp_unread;
}

static inline void cp_enter(Node *node)
{
    cp_node_choose_counted(node);
    cp_now.node = node;
    cp_now.function = node->function;
    cp_now.counted = node->counted;
}

/* Without contexts: the counters of the only node, which do not move, below 2 GB; NULL: with
 * contexts, or once counting was ever off. */
extern UInt *cp_only_counts;

/* Switches counting. No activation may be open. Where it is ever off, inclusive costs do not follow
 * from the tree. */
void cp_context_collect(Bool on);

/* A new slot for each node of the function. */
UInt cp_context_slot(Function *function);

/* A new call slot for each node of the function. */
UInt cp_context_call_slot(Function *function);

/* Counts in the current context. */
static inline void cp_context_count(UInt slot, Int n)
{
    if (cp_collecting)
        *cp_node_counter(cp_now.node, slot) += (UInt)n;
}

/* Empties the slot in all nodes of the function. No superblock runs. */
void cp_context_clear_call(Function *function, UInt slot);

/* From now on calls of the function, or of all, are watched. */
void cp_context_watch(const Function *function);
void cp_context_watch_all(void);

/* Superblocks after which no counter has overflowed. */
extern ULong cp_context_interval;

/* Empties large counters. Call it while no superblock runs, with the number of superblocks that
 * have executed, every cp_context_interval at least. */
void cp_context_drain(ULong superblocks);

/* Adds to a counter of the node what may be too much for 32 bits. */
void cp_context_add(Node *node, UInt slot, ULong n);

/* In each node of the function: adds `times` the count of slot `from` to slot `to`; sets a slot to
 * 0. No superblock runs. */
void cp_context_add_slot(Function *function, UInt to, UInt from, ULong times);
void cp_context_clear_slot(Function *function, UInt slot);

/*
 * The child that a call of `function` from `site` leads to in `parent`; made if it is new. When
 * there are as many nodes as --max-contexts allows, all further ones are folded into one node per
 * function, under a root of their own.
 */
Child *cp_context_child(Node *parent, Addr site, Function *function);

/* The child that a jump out of `from` to f leads to, as seen from (parent, site), which are always
 * the same for one `from`. */
Child *cp_context_jump(Node *from, Node *parent, Addr site, Function *f);

/* The root of a thread's call paths. */
Node *cp_context_root(UInt thread);

/* With --heap=yes a checksum of the activities that are active now: as long as it is the same, so
 * are they. */
extern ULong cp_active;

static inline void cp_activity_switch(Activity *a, Bool on)
{
    ULong key = (Addr)a * 0x9E3779B97F4A7C15ULL;

    if (!clo_heap || a->is_active == on)
        return;
    a->is_active = on;
    cp_active ^= (key ^ key >> 32) * 0xBB67AE8584CAA73BULL;
}

/* Begins, or ends, a time in which the totals grow for an activity. */
static inline void cp_activity_begin(Activity *a)
{
    cp_activity_switch(a, True);
    a->columns[0].mark = cp_totals[0];
    for (UInt i = 1; i < cp_n_totals; i++)
        a->columns[i].mark = cp_totals[i];
}

static inline void cp_activity_end(Activity *a)
{
    cp_activity_switch(a, False);
    if (!cp_collecting)
        return;
    a->columns[0].inclusive += cp_totals[0] - a->columns[0].mark;
    for (UInt i = 1; i < cp_n_totals; i++)
        a->columns[i].inclusive += cp_totals[i] - a->columns[i].mark;
}

/* Begins an activity whose times may lie within each other. */
static inline void cp_activity_open(Activity *a)
{
    if (!a->live++)
        cp_activity_begin(a);
}

static inline void cp_activity_close(Activity *a)
{
    if (!--a->live)
        cp_activity_end(a);
}

/* Code that counts Rep is being made, before which all totals of it are 0. */
static inline void cp_context_repeats(void)
{
    if (cp_n_totals <= CP_COLUMN_REP)
        cp_n_totals = CP_COLUMN_REP + 1;
}

/* The number of instructions so far. With contexts it is the running total; else it is added up,
 * which takes time. */
ULong cp_context_ir(void);

/* Forgets all costs and calls. No activation may be open. */
void cp_context_reset(void);

/* Forgets what other modules count by context: misses, sections, events. cp_main sets it. */
extern void (*cp_context_forget_counts)(void);

/* Call it when all options are known. Without contexts, one node has all costs. */
void cp_context_init(void);

/* Adds up the calls of nodes, by their indices, and of edges, which children count. Where a
 * function goes on in a part of it by a call, that is none. */
void cp_context_sum_calls(void);
ULong cp_node_calls(const Node *node);

/* Nodes, parents before their children, and edges, in the order of their making. */
UInt cp_node_count(void);
Node *cp_node(UInt index);
UInt cp_edge_count(void);
Edge *cp_edge(UInt index);

/* True once --max-contexts was reached. */
extern Bool cp_context_overflowed;
/* Called then. cp_stack.c sets it. */
extern void (*cp_context_on_overflow)(void);

#endif
