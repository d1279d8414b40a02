/*
 * cp_stack.h - shadow stacks: which calls have not returned, for each thread, and for fibres that
 * are not running.
 *
 * The running thread's current context is cp_now. It moves with calls and returns; whatever else
 * changes the stack pointer or the code that runs (tail calls, longjmp, unwinding, signal handlers,
 * stacks that the program switches itself) is noticed where a block begins in another function than
 * the current one, or a return goes elsewhere than its call came from.
 */
#ifndef CP_STACK_H
#define CP_STACK_H

#include "cp_context.h"

/* A call in the code. A direct one remembers the last context that it was made in, and where that
 * led to. */
typedef struct CallSite {
    Addr address, back; /* of the call, and of the instruction behind it */
    Addr target;        /* 0: not known before it is made */
    Function *callee;
    Node *last_parent;
    Child *last_child;
} CallSite;

/* The record of the call that ends the block being translated; the block's old one where that is
 * the same. */
CallSite *cp_stack_site(Addr address, Addr back, Addr target);

/*
 * Called by generated code. check: a block of `function` begins, which is not the current one's;
 * is_entry: it is the function's first. call: the return address lies at `sp` now. back: a return
 * has taken its address from the word below `sp` and goes to `target`.
 */
VG_REGPARM(3) void cp_stack_check(Function *function, UWord sp, UWord is_entry);
VG_REGPARM(2) void cp_stack_call(CallSite *site, UWord sp);
VG_REGPARM(2) void cp_stack_call_indirect(CallSite *site, UWord sp);
VG_REGPARM(2) void cp_stack_back(UWord sp, UWord target);

/* A thread begins, as the core's number `tid`, which another one may have had before. */
void cp_stack_begin(ThreadId tid);
/* Thread `tid` runs from here on. */
void cp_stack_switch(ThreadId tid);

/* Registers what the core must tell: threads and signals. */
void cp_stack_init(void);

/*
 * For tests, slow and simple: `ir` instructions have run; adds them to each function that is on the
 * stack. And at the end, says where that sum is not the function's inclusive cost.
 */
VG_REGPARM(1) void cp_stack_walk(UWord ir);
void cp_stack_compare(void);

/*
 * Calls `change` while no activation of the running thread is open: what is spent up to here is
 * added to inclusive costs before, and what comes after begins anew.
 */
void cp_stack_restart(void (*change)(void));

#endif
