/*
 * worker.h - one thread beside the caller's, which does jobs for it, one after the other.
 *
 * With one processor, or where no thread can be made, the caller does each job itself, at once: a
 * job must not wait for anything that its caller does later. Between worker_do() and worker_wait()
 * the memory that a job uses is the job's alone. Signals go to the caller's threads.
 */
#ifndef PARSER_WORKER_H
#define PARSER_WORKER_H

#include <pthread.h>

/* At most so many jobs are not done: the more there are, the less one thread waits for the other
 * where processors are busy. */
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
/* Adds a job; waits until there is room for it. All jobs before it but the last WORKER_JOBS - 1 are
 * done then. */
void worker_do(struct worker *worker, void (*run)(void *data), void *data);
/* Waits until no job is left; the caller sees all that jobs did. */
void worker_wait(struct worker *worker);
/* Waits, and ends the thread. */
void worker_end(struct worker *worker);

#endif
