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

/* Calls `list` with the activities of all frames, with some of them twice. */
void cp_allocator_each_active(const Stack *s, void (*list)(Activity *a));

#endif
