/*
 * cp_blocking.h - the system calls of a program with a fixed schedule or a fixed clock: who answers
 * each.
 */
#ifndef CP_BLOCKING_H
#define CP_BLOCKING_H

#include "cp_filter.h"

/* Call it at the start. NULL: the schedule is as asked for; else why it cannot be fixed. */
const HChar *cp_blocking_init(void);

/* The core creates a thread, in a call of its parent. */
void cp_blocking_thread(ThreadId child);

/* Call these around each system call of the program. True: it is answered. */
Bool cp_blocking_before(ThreadId tid, const Call *call);
void cp_blocking_after(ThreadId tid, const Call *call);

#endif
