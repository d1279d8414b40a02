/*
 * held_process.h - a program that waits before it begins, so that others can attach to its process
 * first.
 */
#ifndef BASE_HELD_PROCESS_H
#define BASE_HELD_PROCESS_H

#include "base/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The name that the process has before it begins. */
#define HELD_PROCESS_NAME "cprof-held"

struct held_process {
    pid_t pid;
    int gate;  /* it begins with a byte here */
    int error; /* an errno comes from here where it cannot; -1 once it was released */
};

/* Makes the process, which waits. Of the spec's files only `output` counts. Returns 0 or an errno.
 * held_process_release() or held_process_drop() afterwards. */
int held_process_start(const struct process_spec *spec, struct held_process *process);
/* Lets it begin. Returns 0, or the errno of the program's start; then it is gone. */
int held_process_release(struct held_process *process);
/* Ends it before it has begun. */
void held_process_drop(struct held_process *process);

/*--- Waiting ---*/

/* Waiting for a child, with a limit of time. */

/* Nanoseconds of a thread until a look at it. */
struct thread_times {
    pid_t id;
    unsigned long long ran, ready;
};

/* From child_times_begin() to ready_time_end(). */
struct ready_time {
    struct thread_times *threads; /* in the last look, by their ids */
    size_t n;
    double begin, last;    /* the clock, at the last look, too */
    double ran, was_ready; /* seconds of all threads together */
    double ready;          /* of the seconds between two looks at most those in which nobody ran */
};

/* The seconds of a child: from child_times_begin() to its end. */
struct child_times {
    double whole;            /* by the clock; 0: not known */
    double processor;        /* of it and of what it started */
    double ready;            /* it could run, but had no processor; 0: the kernel does not tell */
    struct ready_time looks; /* until its end */
};

/* Seconds of a clock that does not stop. */
double clock_seconds(void);

/* To be called as the child begins. */
void child_times_begin(struct child_times *times);
/* Looks at what the child does, for `ready`. Returns after how many milliseconds to look again. */
int child_times_look(struct child_times *times, pid_t pid);

/* Waits for the child's end, and returns its status as waitpid() gives it. `times`, which may be
 * NULL, are its own then. */
int child_wait_end(pid_t pid, struct child_times *times);
/* Waits for the child's end for at most so many seconds. True where the end came. */
bool child_wait_for(pid_t pid, double seconds, int *status, struct child_times *times);
/* Waits for its end; after `seconds`, if not 0, ends it. True where that ended it. */
bool child_wait(pid_t pid, long seconds, int *status, struct child_times *times);

#endif
