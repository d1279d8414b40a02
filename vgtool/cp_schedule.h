/*
 * cp_schedule.h - a fixed schedule: threads run in an order that depends on nothing but what they
 * execute.
 *
 * - A slice ends after a number of superblocks, and threads are queued in the order in which they
 *   became ready. No other time enters into it, but for a clock that is not fixed.
 * - Calls that wait for other threads are made here: futexes (cp_futex.h), descriptors and sleeping
 *   (cp_wait.h). All others are made with the turn held, but for those that the kernel may keep for
 *   long: these go *outside*.
 * - What comes from outside of the process, by such a call or by a descriptor that others write to,
 *   counts as not there until all threads wait. Then the one that has waited longest may go on, if
 *   it can within a tenth of a second; after that, whoever can. That, and all else that real time
 *   decides, is counted: a run without such *decisions* has the one order that it can have.
 */
#ifndef CP_SCHEDULE_H
#define CP_SCHEDULE_H

#include "cp_turn.h"

/* A call that may block, as the core has it made. */
typedef struct {
    Word number;
    void *guest; /* the thread's registers */
    const vki_sigset_t *blocked, *after;
    Word size;
} Blocking;

/* Makes the call in the kernel. 0, or an error of the core's. */
UWord cp_schedule_make(const Blocking *b, void *guest);

/* Waits, while others run, for what `me` says: forever if it says nothing. Does not return if a
 * signal ends the wait. 0: see `me` for how it ended; else an error of the core's. */
UWord cp_schedule_wait(Turn *me, const Blocking *b);

/* Lets the others of the queue run first. */
UWord cp_schedule_yield(Turn *me, const Blocking *b);

/* Makes the call without the turn. */
UWord cp_schedule_outside(Turn *me, const Blocking *b);

/* Real time has decided on the order, or will. */
void cp_schedule_decided(void);
ULong cp_schedule_decisions(void);

/* True: it makes no difference whether the thread waits here or in the kernel. */
Bool cp_schedule_is_alone(void);

/* NULL: the schedule is fixed, or was not asked for; else why it cannot be. Call it at the start.
 */
const HChar *cp_schedule_init(void);

/* In the child of a fork. */
void cp_schedule_fork(void);

/* Code of the program is about to run. */
void cp_schedule_runs(ThreadId tid);

/* A handler is about to run: the registers of a call that was waiting are set as they are after a
 * signal. */
void cp_schedule_signal(ThreadId tid, UInt signal);

#endif
