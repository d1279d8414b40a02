/*
 * cp_timer.h - timers of the program that send signals, by the fixed clock: those of setitimer()
 * and alarm().
 */
#ifndef CP_TIMER_H
#define CP_TIMER_H

#include "cp_filter.h"

/* Answers the call if it is one of these timers, and the clock is fixed. */
Bool cp_timer_call(ThreadId tid, const Call *call);

/* When the next one is due; False: none is set. */
Bool cp_timer_next(ULong *at);

/* Sends the signals of those that are due. Call it with the guard of cp_turn.h. */
void cp_timer_fire(void);

/* In the child of a fork: it has none. */
void cp_timer_fork(void);

#endif
