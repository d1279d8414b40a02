/*
 * held_process.h - a program that waits before it begins, so that others can attach to its process
 * first.
 */
#ifndef BASE_HELD_PROCESS_H
#define BASE_HELD_PROCESS_H

#include "base/process.h"

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

#endif
