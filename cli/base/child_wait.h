/*
 * child_wait.h - waiting for a child, with a limit of time.
 */
#ifndef BASE_CHILD_WAIT_H
#define BASE_CHILD_WAIT_H

#include <stdbool.h>
#include <sys/types.h>

/* Waits for the child's end, and returns its status as waitpid() gives it. `*ready` gets the
 * seconds for which its first thread could have run, but had no processor; 0 where the kernel does
 * not tell.
 */
int child_wait_end(pid_t pid, double *ready);
/* The same for at most so many seconds. True where the end came. */
bool child_wait_for(pid_t pid, double seconds, int *status, double *ready);
/* Waits for its end; after `seconds`, if not 0, ends it. True where that ended it. */
bool child_wait(pid_t pid, long seconds, int *status, double *ready);

/* A clock, in seconds, and the processor time of the children that have ended. */
double child_wait_clock(void);
double child_wait_processor(void);

#endif
