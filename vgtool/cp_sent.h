/*
 * cp_sent.h - signals that the program sends to itself, with a fixed schedule.
 *
 * A thread that waits may be reached by a signal at any moment. So who sends one ends that wait in
 * the table of threads, and the thread goes on when it is its turn; when its host thread takes the
 * signal does not matter then.
 */
#ifndef CP_SENT_H
#define CP_SENT_H

#include "cp_turn.h"

/* Sends a signal of a timer to the thread of the kernel's number, or (0) to the process, with the
 * kernel's siginfo, or (0) as kill() does. Call it with the guard of cp_turn.h. */
void cp_sent_timer(UInt signal, Int lwp, Addr info);

/* Makes the call if it sends a signal to a thread that waits. */
Bool cp_sent_call(ThreadId tid, const Call *call);

/* The signal is delivered to a thread. True: the program had sent it. */
Bool cp_sent_delivered(UInt signal);

#endif
