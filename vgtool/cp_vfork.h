/*
 * cp_vfork.h - what a child of vfork, or of posix_spawn, writes into the memory that it shares with
 * its parent.
 *
 * The core makes such a child a copy of its parent, which waits as natively but sees nothing of
 * what the child has written: the error of an exec that failed, with posix_spawn of glibc. So the
 * child hands on what it has changed of its parent's stack and of variables, where it ends without
 * an exec.
 */
#ifndef CP_VFORK_H
#define CP_VFORK_H

#include "cp_tool.h"

/* Call it before each system call. */
void cp_vfork_before(ThreadId tid, UInt number, const UWord *args);

/* The core's hooks around a fork: in the parent before and after, and in the child. */
void cp_vfork_begin(ThreadId tid);
void cp_vfork_parent(ThreadId tid);
void cp_vfork_child(ThreadId tid);

#endif
