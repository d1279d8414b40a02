/*
 * cp_syscall.h - system calls of the program that the core makes otherwise than natively: they are
 * changed on their way to it, or answered here.
 *
 * - exec of /proc/self/exe, which would be the tool, and of a descriptor that exec closes
 * - filters of system calls (cp_filter.h)
 * - the limit of descriptors, of which the core keeps some for itself
 * - calls that tell of the machine, and paths, where the machine is a fixed one (cp_fixed.h)
 * - room that the core does not have, of which the log has a line
 *
 * All that needs the core's function for system calls, which valgrind.m4 has replaced where it is
 * known.
 */
#ifndef CP_SYSCALL_H
#define CP_SYSCALL_H

#include "cp_tool.h"

/* Call it at the start. */
void cp_syscall_init(void);

#endif
