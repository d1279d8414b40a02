/*
 * cp_stack.h - shadow stacks: the calls that have not returned, of each thread, and of fibres that
 * wait.
 *
 * The running thread's current context is cp_now. Calls and returns move it. All else that changes
 * the stack pointer or the code (tail calls, longjmp, unwinding, signal handlers, stacks that the
 * program switches itself) shows where a superblock begins in another function than the current
 * one, or where a return goes elsewhere than its call came from.
 */
#ifndef CP_STACK_H
#define CP_STACK_H

#include "cp_context.h"
#include "cp_function.h"
#include "cp_section.h"

/*--- Calls in the code ---*/

/* Calls in the code. A superblock has at most one, which ends it. */

/* A call in the code. Its address is 0 if a signal's handler made it. */
typedef struct CallSite {
    Addr address, back; /* of the call, and of the instruction behind it */
    Addr target;        /* 0: not known before the call */
    Function *callee;
    UInt slot;   /* of its last child in each of its function's nodes */
    void *thunk; /* of a direct one: code that calls cp_stack_call() for it; NULL: none so far */
} CallSite;

/* The record of the call that ends the superblock that is being translated, code of `function`. It
 * is the old one if that is the same. */
CallSite *cp_site_next(Function *function, Addr address, Addr back, Addr target);

/*--- Shadow stacks ---*/

/*
 * Generated code calls these. check: a superblock of `function` begins, which is not the current
 * one; is_entry: it is the function's first. call: the return address lies at `sp` now. back: a
 * return has taken its address from the word below the stack pointer and goes to `target`.
 *
 * Most direct calls, and most returns, need no helper. The code looks whether the child in the
 * call's slot is watched or there is no room for a frame, and calls cp_stack_call() then; whether
 * the return is not that from an unwatched frame on top, and calls cp_stack_back() then. In each
 * case it goes on to write a frame of the child in the slot, count the call and enter its node, or
 * to take off the frame on top and enter its node. The helpers see to it that this is right.
 */
VG_REGPARM(3) void cp_stack_check(Function *function, UWord sp, UWord is_entry);
VG_REGPARM(2) void cp_stack_call(CallSite *site, UWord sp);
VG_REGPARM(2) void cp_stack_call_indirect(CallSite *site, UWord sp);
VG_REGPARM(1) void cp_stack_back(UWord target);

/* Generated code calls this where an allocation function begins, after check. `state`: the thread's
 * registers. Its return is watched then. */
VG_REGPARM(3) void cp_stack_allocates(Function *function, const void *state, UWord sp);

/* The function of the code at `address`, where the running thread has arrived. */
Function *cp_stack_function(Addr address);

/* The running thread enters a section, or leaves it, between two superblocks. `counts`: the entry
 * begins; else it goes on. cp_stack_leave() closes the newest entry and returns it. NULL: the
 * thread has none. `crossed`: a newer one of another section is open. */
void cp_stack_enter(SectionEntry *entry, Bool counts);
SectionEntry *cp_stack_leave(const Section *section, Bool *crossed);

/* Adds n to the inclusive counts of the program's own event, of all that is on the stack. */
void cp_stack_count(UInt event, ULong n);

/* A thread begins. `tid` is the core's number, which another thread may have had before. */
void cp_stack_begin(ThreadId tid);
/* The number of the thread in its root's name, from 1. */
UInt cp_stack_thread(ThreadId tid);
/* Thread `tid` runs from here on. */
void cp_stack_switch(ThreadId tid);

/* A signal is about to be handled; its handler has returned. */
void cp_stack_signal(ThreadId tid);
void cp_stack_after_signal(ThreadId tid);

/* Asks the core to report threads. */
void cp_stack_init(void);

/* For tests, slow and simple: adds `ir` instructions, which have executed, to each function on the
 * stack. cp_inclusive_compare() looks at the sums. */
VG_REGPARM(1) void cp_stack_walk(UWord ir);
/* True if it has to be called for each basic block. */
static inline Bool cp_stack_walks(void)
{
    return clo_check && clo_contexts;
}

/*
 * Calls `change` while no activation of the running thread is open. Inclusive costs have all costs
 * up to here, and begin anew afterwards.
 */
void cp_stack_restart(void (*change)(void));

#endif
