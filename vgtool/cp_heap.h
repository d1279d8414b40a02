/*
 * cp_heap.h - the program's heap: what each call path allocates and frees.
 *
 * Nothing is replaced: calls of allocation functions (cp_role.h) are watched. A block belongs to
 * the context in which it was allocated, whoever frees it. Blocks live on from one part of a
 * profile to the next, and in a forked child, where they do not count: they are its parent's.
 */
#ifndef CP_HEAP_H
#define CP_HEAP_H

#include "cp_context.h"
#include "cp_live.h"

/* The counts, in the order of the profile. */
enum {
    HEAP_ALLOCS,
    HEAP_REALLOCS,
    HEAP_BYTES,     /* that both of these asked for */
    HEAP_FREED,     /* of what was allocated here */
    HEAP_FREES,     /* here, wherever it was allocated */
    HEAP_TEMPORARY, /* allocations that were freed with none in between */
    HEAP_LIFE,      /* instructions from the birth of each block to its end */
    HEAP_PEAK_BYTES,
    HEAP_PEAK_BLOCKS,
    HEAP_END_BYTES,
    HEAP_END_BLOCKS,
    HEAP_MAPS, /* system calls that gave the program memory, */
    HEAP_MAP_BYTES,
    HEAP_UNMAP_BYTES,
    HEAP_COLUMNS
};
extern const HChar *const cp_heap_names[HEAP_COLUMNS];

/* A call of an allocation function that has not returned. */
typedef struct {
    const Function *function;
    UWord sp;          /* where the return address lies */
    const void *state; /* the thread's registers */
    UInt frame;        /* the index of the call's frame */
    Bool is_awaited;   /* cp_heap_return() has to be called when it returns */
    Bool is_apart;     /* a signal's handler called it, within the call before */

    Bool is_closed; /* nothing within it counts */
    Bool has_inner; /* something within it has counted */
    Bool is_moving; /* it has taken a block out */
    SizeT size;
    Addr place; /* where the new address is stored; 0: it is returned */
    Addr old;   /* the address of the block that is freed or moved; 0: none */
    struct HeapPath *path;
    LiveBlock moved; /* with `is_moving`: that block, taken out */
} HeapCall;

/* The allocation calls of each thread, the innermost last. */
typedef struct {
    HeapCall *calls;
    UInt n, max;
} HeapCalls;
extern HeapCalls *cp_heap_threads;

/* Call it when all options are known. */
void cp_heap_init(void);

/* The thread calls an allocation function: the caller fills a new call from `sp` up to `is_apart`,
 * and then it begins. */
void cp_heap_grow_calls(HeapCalls *calls);
void cp_heap_begin(HeapCall *call, const Function *function);

/* Begin calls of functions that take the size alone, or the address, and have a `plain_argument`.
 */
void cp_heap_begin_plain_alloc(HeapCall *call, const Function *function);
void cp_heap_begin_plain_free(HeapCall *call, const Function *function);

static inline HeapCall *cp_heap_call(ThreadId tid)
{
    HeapCalls *calls = &cp_heap_threads[tid];

    if (UNLIKELY(calls->n == calls->max))
        cp_heap_grow_calls(calls);
    return &calls->calls[calls->n++];
}

/* Calls that were made with this sp return, if there are any. */
void cp_heap_end(ThreadId tid, UWord sp);

static inline void cp_heap_return(ThreadId tid, UWord sp)
{
    const HeapCalls *c = &cp_heap_threads[tid];

    if (c->n && c->calls[c->n - 1].sp <= sp)
        cp_heap_end(tid, sp);
}

/* The thread's innermost call; NULL: there is none. cp_heap_leave() gives it up: the program has
 * left it without having been seen. */
static inline const HeapCall *cp_heap_innermost(ThreadId tid)
{
    const HeapCalls *c = &cp_heap_threads[tid];

    return c->n ? &c->calls[c->n - 1] : NULL;
}

void cp_heap_leave(ThreadId tid);

/* A call ends that is not awaited, without --data=yes: it has done what counts. */
static inline void cp_heap_drop(ThreadId tid)
{
    cp_heap_threads[tid].n--;
}

/* With --data=yes: called when the thread's outermost call has ended, or was left. cp_data.c sets
 * it. */
extern void (*cp_heap_on_return)(ThreadId tid);

/* A client request of the program about blocks or pools of its own. False: it is none. */
Bool cp_heap_request(ThreadId tid, const UWord *args);

/* Call it after each system call that gives or takes memory and succeeded, in its thread. */
Bool cp_heap_is_syscall(UInt number);
void cp_heap_syscall(UInt number, const UWord *args, UWord result);

/* Forgets all counts; blocks live on. */
void cp_heap_reset(void);

/* A forked child begins. What it has inherited is its parent's, and counts there alone. */
void cp_heap_fork(void);

/* Lists the activities that are active now: `list` is called with each, some of them twice.
 * cp_stack.c sets it. */
extern void (*cp_heap_each_active)(void (*list)(Activity *a));

/*--- The profile ---*/

typedef struct {
    ULong values[HEAP_COLUMNS];
} HeapCounts;

/*--- Paths and blocks ---*/

/*
 * The counts of one context while the same activities are active: those have them as inclusive
 * counts, besides what is above it in the tree. A path is never removed.
 */
typedef struct HeapPath {
    UInt id;   /* its index */
    UInt node; /* of its context */
    ULong active;
    Bool by_tree;                /* inclusive counts followed from the tree then */
    UInt first_active, n_active; /* of the list of activities */
    ULong live_bytes, live_blocks;
    ULong births;  /* the sum over the live blocks */
    ULong changed; /* the time when these have changed last, */
    ULong counts[HEAP_COLUMNS];
    ULong peak_bytes, peak_blocks; /* what they were at the program's peak, if that was before */
} HeapPath;

/* The path of the current context. Before any other, path 0 stands for what is not counted: blocks
 * of a time when collecting is off. */
HeapPath *cp_heap_other_path(void);

/* The last path of each of some contexts, by a part of their indices; NULL: none so far. */
enum { CP_HEAP_LAST = 1 << 14 };
extern HeapPath *cp_heap_last_paths[CP_HEAP_LAST];

static inline HeapPath **cp_heap_last(UInt node)
{
    return &cp_heap_last_paths[node % CP_HEAP_LAST];
}

static inline HeapPath *cp_heap_path(void)
{
    HeapPath *p = *cp_heap_last(cp_now.node->id);

    return LIKELY(p && p->node == cp_now.node->id && p->active == cp_active &&
                  p->by_tree == cp_inclusive_by_tree && cp_collecting)
               ? p
               : cp_heap_other_path();
}

extern Pool cp_heap_paths;

static inline HeapPath *cp_heap_path_at(UInt index)
{
    return (HeapPath *)cp_heap_paths.chunks[index / POOL_CHUNK] + index % POOL_CHUNK;
}

/* Instructions so far. */
static inline ULong cp_heap_now(void)
{
    return cp_totals[CP_COLUMN_IR];
}

/*--- Writing ---*/

/* The lines of the raw profile that have the heap's counts. Without --heap=yes there are none. */

/* Writes lines of the header, and begins the records. `is_end`: as for cp_heap_begin_sums(). */
void cp_heap_write_begin(Bool is_end);

/* Writes the record of a context. */
void cp_heap_write_node(const Node *node);

/* Writes inclusive counts, and ends. */
void cp_heap_write_end(void);

#endif
