/*
 * several_runs.h - the runs of a program beside the one that is shown: earlier ones, which are to
 * be alike, and other orders of its threads.
 */
#ifndef RUNS_SEVERAL_RUNS_H
#define RUNS_SEVERAL_RUNS_H

#include "run/input.h"
#include "runs/run_show.h"

/* A program, and what each of its runs is given. All but the input is borrowed. */
struct job {
    const struct program *program;
    char **arguments;   /* NULL-terminated; or NULL */
    struct input input; /* kept where it runs several times */
};

/* Runs the program once by what measures it, the Valgrind tool or perf, as valgrind_run() and
 * sampling_run() do. */
int run_program(const struct run_settings *settings, const struct job *job,
                const struct tempdir *dir, struct run_outcome *outcome);

/* Runs the program as often as --repeat says, but once, and adds the profiles to `background`;
 * `dir` is empty before and afterwards. Returns 0, or a status after having said what is wrong. */
int runs_repeat(const struct run_settings *settings, const struct job *job,
                const struct tempdir *dir, struct run_background *background);

/* True where the program may run several times after its first run: in other orders of threads, if
 * it turns out to have several. */
bool runs_may_order(const struct run_settings *settings);
/* Runs the program in other orders of its threads, side by side, where it has several in a schedule
 * that is fixed and orders are wanted; adds the profiles to `background`. `first` is the profile of
 * its first run; the files in `dir` are left alone. Returns as runs_repeat(). */
int runs_order(const struct run_settings *settings, const struct job *job,
               const struct cprof_profile *first, const struct tempdir *dir,
               struct run_background *background);

#endif
