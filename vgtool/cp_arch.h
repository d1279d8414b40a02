/*
 * cp_arch.h - what depends on the processor. One file implements it for each: cp_amd64.c, and
 * cp_amd64.h for what is inlined.
 *
 * The header of a processor defines CP_RETURN_SLOT, how many bytes a return takes off the stack,
 * and Vector, 16 bytes, with these functions: cp_v_load and cp_v_store (of aligned memory),
 * cp_v_zero, cp_v_bytes and cp_v_words (one number in all places), cp_v_first_word;
 * cp_v_equal_bytes, cp_v_equal_words, cp_v_greater_bytes and cp_v_less_words (all bits of a place
 * where it is so, signed numbers); cp_v_subtract_bytes; cp_v_and, cp_v_and_not (not a, and b),
 * cp_v_or; cp_v_pack_words and cp_v_pack_halves (places of half the size, those of the first
 * operand first, saturated); cp_v_swap_pairs (of words) and cp_v_swap_words (within pairs);
 * cp_v_mask_bytes and cp_v_mask_words (the highest bit of each place, the first one lowest).
 */
#ifndef CP_ARCH_H
#define CP_ARCH_H

#include "cp_tool.h"

#if defined(VGA_amd64)
#include "cp_amd64.h"
#else
#error "no code for this processor"
#endif

/* Whether a section of that name has the stubs by which code calls other objects (PLT). */
Bool cp_arch_is_stubs(const HChar *section);

/* Whether VEX calls that helper for an instruction that gives random bits: 32 of them, and in bit
 * 32 whether there were any. */
Bool cp_arch_is_random(const HChar *helper);

/* Whether the system call is open or openat; a processor may lack one of them. */
Bool cp_arch_opens(UInt number);

/* System calls that older Valgrinds do not name. From 424 on all processors have the same numbers.
 */
#define CP_NR_OPENAT2                 437
#define CP_NR_LANDLOCK_CREATE_RULESET 444

/* Exchanges the result of the system call that the thread has just made. */
void cp_arch_set_result(ThreadId tid, Word result);

/*--- Thunks: machine code that loads constants and goes on to a helper ---*/

/*
 * VEX works out the arguments of a guarded call before the guard, so that a constant takes two
 * instructions where the call is not made, too. What generated code calls mostly under a guard that
 * hardly ever holds is therefore a thunk, with nothing but what is known at run time only.
 */

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
