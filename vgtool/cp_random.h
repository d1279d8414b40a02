/*
 * cp_random.h - the sources of a program's random bytes: tells whether runs vary, and can keep them
 * from it.
 *
 * The sources are getrandom, /dev/urandom, /dev/random, the 16 bytes that the kernel leaves for the
 * C library (AT_RANDOM), and the processor's random instructions. With --deterministic=yes they
 * give the same sequence in every run.
 */
#ifndef CP_RANDOM_H
#define CP_RANDOM_H

#include "cp_tool.h"
#include "pub_tool_tooliface.h"

/* Call it when the program is loaded, before it runs. */
void cp_random_init(void);

/* Call it after each system call that succeeded. */
void cp_random_syscall(UInt number, const UWord *args, UWord result);

/* Call it for each dirty helper that is translated. It may replace one that gives random bits. */
void cp_random_instruction(IRDirty *d);

/*
 * True if the program took random bytes that its counts may depend on. This excludes the 8 bytes
 * that glibc's malloc takes in every program, and AT_RANDOM, which guards the stack.
 */
Bool cp_random_used(void);

/* Call it when a thread begins, including the first: the order in which several threads run is not
 * certain, either. */
void cp_random_thread(void);

/* The number of threads that have begun. */
UInt cp_random_threads(void);

/* Call it in a forked child, which has one thread. */
void cp_random_restart(void);

#endif
