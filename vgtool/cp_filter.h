/*
 * cp_filter.h - filters of system calls (seccomp) that the program sets for itself.
 *
 * Filters hold for the program's own calls only. In the kernel they would hold for those of
 * Valgrind and the tool, too, which are in its process and make others. So the kernel has none, and
 * each call of the program is judged here as the kernel would. A program that takes its place by
 * exec has none of them.
 */
#ifndef CP_FILTER_H
#define CP_FILTER_H

#include "cp_tool.h"

/* A system call that is about to be made. */
typedef struct {
    UWord number;
    UWord args[6];
} Call;

/*
 * Call it before each system call of the thread, at `ip`. True: it is not to be made, as a filter
 * says, or as it sets a filter; the thread has its result. It may end the process.
 */
Bool cp_filter_call(ThreadId tid, const Call *call, Addr ip);

/* A thread begins: it has the filters of its parent. */
void cp_filter_thread(ThreadId parent, ThreadId child);

/* Called before a filter ends the process: nothing else is told. cp_main.c sets it. */
extern void (*cp_filter_ends)(void);

#endif
