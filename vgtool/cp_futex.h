/*
 * cp_futex.h - futexes of a fixed schedule: those that wait are woken in the order in which they
 * began to wait.
 *
 * Futexes in memory that is shared with other processes are the kernel's; see cp_futex_is_own().
 */
#ifndef CP_FUTEX_H
#define CP_FUTEX_H

#include "cp_turn.h"

/* True: the call is one of a futex that no other process can use. */
Bool cp_futex_is_own(const Call *call);

/* Answers a call that does not wait. */
Bool cp_futex_call(ThreadId tid, const Call *call);

/* The running thread is about to wait as the call says. False: it need not, and *result is set. */
Bool cp_futex_waits(Turn *me, const Call *call, Word *result);

/* When a wait of the kernel's has to end, by the machine's clock, in ns. False: as the call says.
 */
Bool cp_futex_limit(const Call *call, ULong *at);

/* Call it after each call that has succeeded: it may have mapped memory. */
void cp_futex_after(ThreadId tid, const Call *call);

/* The process has forked: memory may be shared from now on. True: threads waited there. */
Bool cp_futex_fork(void);

/* The thread has ended: whoever joins it goes on, and whoever waits for a robust mutex of its. Call
 * it with the guard of cp_turn.h. */
void cp_futex_exit(const Turn *t);

#endif
