/*
 * cp_heap.h - the program's heap: what each call path allocates and frees.
 *
 * Nothing is replaced: calls of allocation functions (cp_role.h) are watched. A block belongs to
 * the context in which it was allocated, whoever frees it. Blocks live on in a forked child, and
 * from one part of a profile to the next.
 */
#ifndef CP_HEAP_H
#define CP_HEAP_H

#include "cp_context.h"

/* What is counted, in the order of the profile. */
enum {
    HEAP_ALLOCS,
    HEAP_REALLOCS,
    HEAP_BYTES,     /* that both of these asked for */
    HEAP_FREES,     /* of what was allocated here */
    HEAP_FREED,     /* here, wherever it was allocated */
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

/*
 * A call of an allocation function, by a thread. `sp`: its return address lies there; `state`: the
 * thread's registers; `frame`: the index of the frame of the call. True if cp_heap_return() has to
 * be called when it returns.
 */
Bool cp_heap_call(ThreadId tid, const Function *function, const void *state, UWord sp, UInt frame,
                  Bool is_interrupted);
/* Calls that were made with this sp return. */
void cp_heap_return(ThreadId tid, UWord sp);

/* The thread's innermost call that has not returned. False: there is none. cp_heap_leave() gives it
 * up: the program has left it in another way. */
Bool cp_heap_pending(ThreadId tid, UWord *sp, UInt *frame);
void cp_heap_leave(ThreadId tid);

/* A client request of the program about blocks or pools of its own. False: it is none. */
Bool cp_heap_request(ThreadId tid, const UWord *args);

/* Call it after each system call that gives or takes memory and succeeded, in its thread. */
Bool cp_heap_is_syscall(UInt number);
void cp_heap_syscall(UInt number, const UWord *args, UWord result);

/* Forgets all counts; blocks live on. */
void cp_heap_reset(void);

/* A forked child begins. Its peak begins at what it has inherited. */
void cp_heap_fork(void);

/* Lists the activities that are active now: `list` is called with each, some of them twice.
 * cp_stack.c sets it. */
extern void (*cp_heap_each_active)(void (*list)(Activity *a));

/*--- The profile ---*/

typedef struct {
    ULong values[HEAP_COLUMNS];
} HeapCounts;

/* Begins to write, and ends. `is_end`: of the process, so that what it has at its end and had at
 * its peak is written. */
void cp_heap_begin_sums(Bool is_end);
void cp_heap_end_sums(void);

/* Counts between these two: of a node, and inclusive ones of a function or an edge. NULL: none. */
const HeapCounts *cp_heap_node(const Node *node);
const HeapCounts *cp_heap_inclusive(const Activity *activity);

/* Frees of no known block, allocations that failed, and calls whose end was not seen. */
void cp_heap_oddities(ULong *unmatched, ULong *failed, ULong *lost);

#endif
