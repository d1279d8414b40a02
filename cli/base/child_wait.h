/*
 * child_wait.h - waiting for a child, with a limit of time.
 */
#ifndef BASE_CHILD_WAIT_H
#define BASE_CHILD_WAIT_H

#include "base/ready_time.h"

#include <stdbool.h>
#include <sys/types.h>

/* The seconds of a child: from child_times_begin() to its end. */
struct child_times {
    double whole;            /* by the clock; 0: not known */
    double processor;        /* of it and of what it started */
    double ready;            /* it could run, but had no processor; 0: the kernel does not tell */
    struct ready_time looks; /* until its end */
};

/* To be called as the child begins. */
void child_times_begin(struct child_times *times);
/* Looks at what the child does, for `ready`. Returns after how many milliseconds to look again. */
int child_times_look(struct child_times *times, pid_t pid);

/* Waits for the child's end, and returns its status as waitpid() gives it. `times`, which may be
 * NULL, are its own then. */
int child_wait_end(pid_t pid, struct child_times *times);
/* The same for at most so many seconds. True where the end came. */
bool child_wait_for(pid_t pid, double seconds, int *status, struct child_times *times);
/* Waits for its end; after `seconds`, if not 0, ends it. True where that ended it. */
bool child_wait(pid_t pid, long seconds, int *status, struct child_times *times);

#endif
