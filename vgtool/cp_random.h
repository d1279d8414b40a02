/*
 * cp_random.h - where a program gets random bytes from, so that runs can be told to vary, or be
 * kept from it.
 *
 * Sources: getrandom, /dev/urandom, /dev/random, the 16 bytes that the kernel leaves for the C
 * library (AT_RANDOM), and the instructions rdrand and rdseed. With --deterministic=yes they give
 * the same sequence in every run.
 */
#ifndef CP_RANDOM_H
#define CP_RANDOM_H

#include "cp_tool.h"

#include "pub_tool_tooliface.h"

/* Call when the program is loaded, before it runs. */
void cp_random_init(void);

/* Call after each system call that succeeded. */
void cp_random_syscall(UInt number, const UWord *args, UWord result);

/* Call for each dirty helper that is translated; may exchange it. */
void cp_random_instruction(IRDirty *d);

/*
 * Whether the program took random bytes that its counts may depend on. The 8 bytes that glibc's
 * malloc takes in every program, and AT_RANDOM, which guards the stack, are none of those.
 */
Bool cp_random_used(void);

/* Call when a thread begins, the first one too: in which order several run is not certain, either.
 */
void cp_random_thread(void);

/* How many have begun. */
UInt cp_random_threads(void);

/* Call in a forked child, which has one. */
void cp_random_restart(void);

#endif
