/*
 * cp_maps.h - the program's own view of its memory: /proc/PID/maps without what Valgrind and the
 * tool have mapped.
 *
 * Programs read it (Rust's start-up and pthread_getattr_np do, in search of the stack), and what
 * they execute depends on how many lines there are. With the lines of the tool among them, counts
 * would change with every build of the tool.
 */
#ifndef CP_MAPS_H
#define CP_MAPS_H

#include "cp_tool.h"

/* Call before each system call. */
void cp_maps_before(UInt number, const UWord *args);

/* Call after each system call that succeeded. */
void cp_maps_after(UInt number, UWord result);

/* Call in a forked child: what is open there is its parent's memory. */
void cp_maps_forget(void);

#endif
