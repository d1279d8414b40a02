/*
 * cp_allocator.h - calls of allocation functions, on shadow stacks.
 *
 * The frame of such a call is marked where its return has to be seen: generated code calls a helper
 * then. Calls that the program leaves in another way are found out at the next one.
 */
#ifndef CP_ALLOCATOR_H
#define CP_ALLOCATOR_H

#include "cp_frame.h"
#include "cp_heap.h"

/* An allocation function begins, on the running stack, which is that of thread `tid`. `state`: its
 * registers; sp: where the return address lies. */
void cp_allocator_call(Stack *s, ThreadId tid, Function *f, const void *state, UWord sp);

/* The call of the frame on top, `t`, returns to `target`, with sp afterwards. True if that was all
 * that had to be seen of it: then the frame is as any other. */
static inline Bool cp_allocator_return(Frame *t, ThreadId tid, UWord sp, UWord target)
{
    if (!t->is_awaited || t->kind != FRAME_CALL || t->is_watched || t->back != target ||
        t->sp + CP_RETURN_SLOT != sp)
        return False;
    cp_heap_return(tid, t->sp);
    t->is_awaited = False;
    return True;
}

/* The innermost call of an allocation function that runs, on a stack of which n frames are in use
 * and which is that of thread `tid`; NULL: none. */
const HeapCall *cp_allocator_running(const Stack *s, UInt n, ThreadId tid);

/* Calls `list` with the activities of all frames, with some of them twice. */
void cp_allocator_each_active(const Stack *s, void (*list)(Activity *a));

#endif
