/*
 * cp_frame.c - the memory of shadow stacks.
 */
#include "cp_frame.h"

void (*cp_frame_inside)(UInt n);

void __attribute__((noinline)) cp_frame_grow(Stack *stack)
{
    stack->max = stack->max ? 2 * stack->max : 256;
    stack->frames = VG_(realloc)("cp.frame.1", stack->frames, stack->max * sizeof *stack->frames);
}
