/*
 * cp_maps.h - the program's own view of its memory: /proc/PID/maps without the mappings of Valgrind
 * and the tool.
 *
 * Programs read it in search of the stack (Rust's start-up and pthread_getattr_np do), and execute
 * more instructions for more lines. With the tool's lines among them, counts would change with
 * every build of the tool.
 */
#ifndef CP_MAPS_H
#define CP_MAPS_H

#include "cp_tool.h"

/* Call it before each system call. */
void cp_maps_before(UInt number, const UWord *args);

/* Call it after each system call that succeeded. */
void cp_maps_after(UInt number, const UWord *args, UWord result);

/* Call it in a forked child: its replaced descriptors show its parent's memory. */
void cp_maps_forget(void);

#endif
