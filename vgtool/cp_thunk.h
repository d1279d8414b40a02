/*
 * cp_thunk.h - machine code that loads constants and goes on to a helper.
 *
 * VEX works out the arguments of a guarded call before the guard, so that a constant takes two
 * instructions where the call is not made, too. What generated code calls mostly under a guard that
 * hardly ever holds is therefore a thunk, with nothing but what is known at run time only.
 */
#ifndef CP_THUNK_H
#define CP_THUNK_H

#include "cp_tool.h"

/* Begins a thunk. One at a time. */
void cp_thunk_begin(void);

/* Gives the helper a constant as its parameter with that index (0 to 2). */
void cp_thunk_constant(UInt parameter, ULong value);

/* Gives it the guest's register of 64 bits at `offset` in the guest's state. VEX does not know that
 * it is read: only for where no assignment can be pending, as at the start of a block. */
void cp_thunk_register(UInt parameter, Int offset);

/* Ends the thunk, and says where it is. It is never freed. */
void *cp_thunk_end(Addr helper);

#endif
