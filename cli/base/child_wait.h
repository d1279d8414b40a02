/*
 * child_wait.h - waiting for a child, with a limit of time.
 */
#ifndef BASE_CHILD_WAIT_H
#define BASE_CHILD_WAIT_H

#include <stdbool.h>
#include <sys/types.h>

/* Waits for its end, at most so many seconds. True with its status, as waitpid() gives it, where it
 * came. */
bool child_wait_for(pid_t pid, double seconds, int *status);
/* Waits for its end; after `seconds`, if not 0, ends it. True where that ended it. */
bool child_wait(pid_t pid, long seconds, int *status);

/* A clock, in seconds, and the processor time of the children that have ended. */
double child_wait_clock(void);
double child_wait_processor(void);

#endif
