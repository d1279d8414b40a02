/*
 * cp_thread.h - the names that threads gave themselves by prctl(PR_SET_NAME), as
 * pthread_setname_np() and Rust's threads do.
 *
 * Threads have the numbers of their call paths' roots (cp_stack.h). The last name of a number
 * holds, whichever thread of that number gave it.
 */
#ifndef CP_THREAD_H
#define CP_THREAD_H

#include "cp_tool.h"

/* Gives the first thread, and so the process, the name that the kernel gives it where the program
 * is started without the tool. */
void cp_thread_name_first(const HChar *path);

/* Call it after each system call that succeeded, of the thread with this number. */
void cp_thread_syscall(UInt thread, UInt number, const UWord *args);

/* The name of the root of that thread's call paths: "[thread 3]", or "[thread 3: worker-1]". It is
 * valid until the next call. */
const HChar *cp_thread_root(UInt thread);

#endif
