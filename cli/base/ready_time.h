/*
 * ready_time.h - how long a process was ready to run, but had no processor: it, its threads and all
 * that it started.
 *
 * The kernel tells it of each thread as long as that is there, so it is looked at again and again.
 * A thread that has ended since the last look is taken to have been ready all the time, where
 * others of the process were for long; one that no look saw, as long as they were for what it ran.
 */
#ifndef BASE_READY_TIME_H
#define BASE_READY_TIME_H

#include <stddef.h>
#include <sys/types.h>

/* Nanoseconds of a thread until a look at it. */
struct thread_times {
    pid_t id;
    unsigned long long ran, ready;
};

/* From ready_time_begin() to ready_time_end(). */
struct ready_time {
    struct thread_times *threads; /* in the last look, by their ids */
    size_t n;
    double begin, last;    /* the clock, at the last look, too */
    double ran, was_ready; /* seconds of all threads together */
    double ready;          /* of the seconds between two looks at most those in which nobody ran */
};

/* `now` is by a clock that does not stop. */
void ready_time_begin(struct ready_time *r, double now);
/* Looks at the process, which may have ended but is not waited for yet. */
void ready_time_look(struct ready_time *r, pid_t pid, double now);
/* Returns for how many seconds the process was ready, which ran for `processor` seconds. */
double ready_time_end(struct ready_time *r, double processor);

#endif
