/*
 * jobs.h - jobs side by side, each in a process of its own: what one does to itself (a crash, a
 * signal) ends no other, and reading profiles takes as many processors as running programs.
 */
#ifndef RUN_JOBS_H
#define RUN_JOBS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct jobs {
    size_t n;        /* how many there are */
    size_t parallel; /* at once; at least 1 */
    bool capture;    /* what a job prints goes to `done`; else to where ours does */
    bool progress;   /* where standard error is a terminal, a line says how many have ended */
    /* Does a job, in its process, and returns what came of it; NULL: nothing. */
    json_t *(*work)(void *data, size_t job);
    /* Takes in what came of a job, in ours, in the order in which they end: the result is the
     * callee's, NULL where the job failed; `output` what it printed, or NULL. */
    void (*done)(void *data, size_t job, json_t *result, const char *output);
    void *data;
};

/* How many of `n` jobs to do at once: as many as `wanted`; 0: as there are processors. */
size_t jobs_parallel(long wanted, size_t n);

/*
 * Does all jobs, in their order. Ctrl-C and the like end those that run and begin no other. Returns
 * 0; STATUS_SIGNAL and the number of the signal that came; or STATUS_ERROR, having said so, where
 * no process can be made.
 */
int jobs_run(const struct jobs *jobs);

#endif
