/*
 * cp_arch.h - what depends on the processor. Each processor has one source file, cp_amd64.c or
 * cp_arm64.c, and one header for inlined functions, cp_amd64.h or cp_arm64.h. cp_arch.c is the same
 * for all.
 *
 * cp_arch_is_call(address): false if the instruction there is none that calls, though VEX says so
 * at the end of a superblock.
 *
 * cp_arch_repeats(address, &is_wrong): true if the instruction there is a repeated string
 * instruction; is_wrong, if it is one of which VEX makes one repetition alone.
 *
 * CP_ARGUMENT_OFFSET(index), CP_RESULT_OFFSET: where in the guest's registers the arguments of a
 * function are that are integers, and its result, which is also that of a system call.
 *
 * The header of a processor defines the constants CP_RETURN_SLOT, CP_RED_ZONE, CP_REQUEST_SIZE,
 * CP_SYSCALL_SIZE, CP_CLONE_TID, CP_ZERO_BITS, CP_ARGUMENTS, CP_ELF_MACHINE, CP_USUAL_L1 and
 * CP_USUAL_LL, and Vector, a type of 16 bytes. A vector has 16 bytes or 4 words as its lanes. These
 * functions take vectors: cp_v_load and cp_v_store access aligned memory; cp_v_zero, cp_v_bytes and
 * cp_v_words put one number into all lanes; cp_v_first_word returns the first word;
 * cp_v_equal_bytes, cp_v_equal_words, cp_v_greater_bytes and cp_v_less_words compare signed numbers
 * and set all bits of a lane where the answer is yes; cp_v_subtract_bytes subtracts; cp_v_and,
 * cp_v_and_not (not a, and b) and cp_v_or work bit by bit; cp_v_pack_words and cp_v_pack_halves
 * make lanes of half the size, saturated, those of the first operand first; cp_v_swap_pairs swaps
 * pairs of words, cp_v_swap_words the words within pairs; cp_v_mask_bytes and cp_v_mask_words
 * collect the highest bit of each lane, the first lane's lowest.
 */
#ifndef CP_ARCH_H
#define CP_ARCH_H

#include "cp_tool.h"
#include "libvex_ir.h"

#if defined(VGA_amd64)
#include "cp_amd64.h"
#elif defined(VGA_arm64)
#include "cp_arm64.h"
#else
#error "no code for this processor"
#endif

/* True if an ELF section of this name has stubs by which code calls other objects (PLT). */
Bool cp_arch_is_stubs(const HChar *section);

/* True if VEX calls this helper for an instruction that gives random bits. Such a helper returns 32
 * bits, and 1 in bit 32 if there were any. */
Bool cp_arch_is_random(const HChar *helper);

/*
 * The class of the processor that a fixed machine has: what programs may know of it, by
 * instructions and by what the system tells them. Each host has the lowest class.
 *
 * choose: takes the class of that name; NULL: the highest usual one that this host has. Returns
 * what is wrong, or NULL. class: its name, once it is chosen. host_class: the one that programs see
 * where the machine is not fixed. identify: has VEX's call of this
 * helper answer for the class, if it is by such an instruction. hardware: AT_HWCAP of the class.
 * cpuinfo: its lines of /proc/cpuinfo for the processor with this number, up to 1 KB.
 */
const HChar *cp_arch_choose_class(const HChar *name);
const HChar *cp_arch_class(void);
const HChar *cp_arch_host_class(void);
void cp_arch_identify(IRDirty *call);
UWord cp_arch_hardware(void);
UInt cp_arch_cpuinfo(HChar *text, UInt number);

/* A function that reads another clock in place of the processor's, in `cycles` of 1/3 ns; NULL: VEX
 * does not call this helper to read that one. */
void *cp_arch_clock(const HChar *helper, ULong (*cycles)(void));

/* True if VEX calls this helper to load or store a long double of 80 bits. Between the two it
 * computes with 64. */
Bool cp_arch_is_extended(const HChar *helper);

/* True if the instruction that ends right before `code` does not go on there, as it seems: it
 * jumps, returns or calls, or is a nop. The 8 bytes before are read. */
Bool cp_arch_ends_before(const UChar *code);

/* True if the system call is open or openat; a processor may lack one of them. */
Bool cp_arch_opens(UInt number);

/* System calls that older Valgrinds do not name. From 424 on all processors have the same numbers.
 */
#define CP_NR_IO_URING_ENTER          426
#define CP_NR_CLOSE_RANGE             436
#define CP_NR_OPENAT2                 437
#define CP_NR_FACCESSAT2              439
#define CP_NR_EPOLL_PWAIT2            441
#define CP_NR_LANDLOCK_CREATE_RULESET 444
#define CP_NR_FUTEX_WAITV             449
#define CP_NR_FUTEX_WAKE              454
#define CP_NR_FUTEX_REQUEUE           456

/* The register of 64 bits at `offset` among the thread's. */
ULong cp_arch_register(ThreadId tid, PtrdiffT offset);

/* Where the number of a system call and its arguments are among the registers. */
enum { CP_SYSCALL_ARGUMENTS = 6 };
extern const UShort cp_arch_syscall[1 + CP_SYSCALL_ARGUMENTS];

/* The beginning of a thread's registers, with all that a system call has. */
typedef struct {
    ULong words[64];
} CallRegisters;

static inline UWord cp_arch_call_argument(const void *state, UInt index)
{
    return *(const UWord *)((const UChar *)state + cp_arch_syscall[1 + index]);
}

static inline void cp_arch_set_call_argument(void *state, UInt index, UWord value)
{
    *(UWord *)((UChar *)state + cp_arch_syscall[1 + index]) = value;
}

/* The processor, as filters of system calls know it (AUDIT_ARCH_). */
extern const UInt cp_arch_audit;

/* Changes a register of 64 bits. */
void cp_arch_set_register(ThreadId tid, PtrdiffT offset, ULong value);

/* Replaces the result of the system call that the thread has just made. */
void cp_arch_set_result(ThreadId tid, Word result);

/* The integer in the register of the argument with this index, below CP_ARGUMENTS, where a function
 * has just been called. */
static inline ULong cp_arch_argument(ThreadId tid, UInt index)
{
    return cp_arch_register(tid, (PtrdiffT)CP_ARGUMENT_OFFSET(index));
}

/* The integer that a function returns, where it has just done so. */
static inline ULong cp_arch_result(ThreadId tid)
{
    return cp_arch_register(tid, CP_RESULT_OFFSET);
}

/* An argument by a thread's registers as cp_thunk_state() passes them. */
static inline ULong cp_arch_state_argument(const void *state, UInt index)
{
    return *(const ULong *)((const UChar *)state + CP_ARGUMENT_OFFSET(index));
}

static inline void cp_arch_set_state_result(void *state, Word result)
{
    *(Word *)((UChar *)state + CP_RESULT_OFFSET) = result;
}

static inline ULong cp_arch_state_result(const void *state)
{
    return *(const ULong *)((const UChar *)state + CP_RESULT_OFFSET);
}

/* The address that a function returns to which has just been called. False: it cannot be read. */
Bool cp_arch_return_address(ThreadId tid, Addr *address);

/*--- Thunks: machine code that loads constants and goes on to a helper ---*/

/*
 * VEX evaluates the arguments of a guarded call before its guard, so a constant costs two
 * instructions even where the call is not made. Thunks are for helpers under guards that hardly
 * ever hold: generated code passes only values that it computes at run time.
 */

/* Begins a thunk. Only one is under construction at a time. */
void cp_thunk_begin(void);

/* Passes a constant to the helper as its parameter with this index (0 to 2). */
void cp_thunk_constant(UInt parameter, ULong value);

/* Passes the guest's register of 64 bits at `offset` in the guest's state. VEX does not know of
 * this read, so use it only where no assignment can be pending, as at the start of a superblock,
 * or at its end. */
void cp_thunk_register(UInt parameter, Int offset);

/* Passes the address of the guest's registers. */
void cp_thunk_state(UInt parameter);

/* Ends the thunk and returns its address. It is never freed. */
void *cp_thunk_end(Addr helper);

#endif
