/*
 * progress.h - what a long run shows of itself on a terminal: one line at the bottom, with the time
 * it has taken, the instructions counted so far and each second, and what runs.
 *
 * After half a minute a message says once how to have an answer sooner: on any terminal, also one
 * that has no room for the line.
 *
 * The line has the terminal's last row for itself: the rest scrolls without it, so that what the
 * program prints is not disturbed. It is there after a second only, and gone at the end.
 */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "base/held_process.h"

#include <stdbool.h>
#include <sys/types.h>

/* The file that the tool writes. */
#define PROGRESS_NAME "progress"

struct progress {
    char *path;    /* of the file that the tool writes; NULL: nothing is shown */
    pid_t pid;     /* that is watched: others may write to the file */
    bool shown;    /* the row is taken */
    bool patient;  /* it need not be told, or has been, what can be done about a long run */
    int rows;      /* of the terminal, as the row was taken for */
    double start;  /* seconds of the monotonic clock */
    double before; /* when `ir` was read last, and what it was */
    unsigned long long ir;
    double rate; /* instructions a second, smoothed */
};

/* Begins to watch, where standard error is a terminal that can do it and `quiet` is false: the tool
 * is to write to progress->path, a new file in `folder`. progress_end() afterwards. */
void progress_begin(struct progress *progress, const char *folder, bool quiet);
/* Waits for the end of `pid`, as child_wait_end() does. */
int progress_wait(struct progress *progress, pid_t pid, struct child_times *times);
void progress_end(struct progress *progress);

#endif
