/*
 * worker.h - one thread beside the caller's, which does jobs for it, one after the other.
 *
 * Where there is one processor only, or no thread to be had, the caller does each job itself, at
 * once: a job cannot wait for anything that its caller does later. Between worker_do() and
 * worker_wait() what a job uses is the job's alone. Signals are for the caller's threads.
 */
#ifndef PARSER_WORKER_H
#define PARSER_WORKER_H

#include <pthread.h>

/* So many jobs are not done at most: the more, the less does one thread wait for the other where
 * processors are busy. */
enum { WORKER_JOBS = 7 };

struct worker_job {
    void (*run)(void *data);
    void *data;
};

struct worker {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    struct worker_job jobs[WORKER_JOBS]; /* a ring of `n` from `first` on, which is at work */
    unsigned first, n;
    int ending;
    int threaded; /* there is a thread; of the caller alone */
};

/* A worker of zeros is one without a thread, and needs none of this. */
void worker_begin(struct worker *worker);
/* Adds a job; waits until there is room for it. Of the jobs before, all but the last
 * WORKER_JOBS - 1 are done then. */
void worker_do(struct worker *worker, void (*run)(void *data), void *data);
/* Waits until no job is left; all that it did can be seen then. */
void worker_wait(struct worker *worker);
/* Waits, and ends the thread. */
void worker_end(struct worker *worker);

#endif
