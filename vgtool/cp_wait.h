/*
 * cp_wait.h - calls that wait for descriptors, for moments and for signals, with a fixed schedule.
 *
 * Pipes, sockets and events of the process are looked at in the order in which threads wait, when
 * the turn changes: the kernel does what it does for them within the calls of other threads. What
 * other processes have a hand in comes from outside (cp_schedule.h, cp_descriptor.h).
 */
#ifndef CP_WAIT_H
#define CP_WAIT_H

#include "cp_schedule.h"

/* True: the call waits, and was made; *error is what cp_schedule_make() returns. */
Bool cp_wait_call(Turn *me, const Blocking *b, UWord *error);

#endif
