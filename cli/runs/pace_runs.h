/*
 * pace_runs.h - runs of two builds of a program in turn, for pace.h: the new build where it is, the
 * old one as a copy that its baseline has.
 *
 * They run natively, with the arguments, the environment and the standard input of the run that was
 * profiled; what they print goes nowhere. Each has to end as that run did, else they do other work.
 */
#ifndef RUNS_PACE_RUNS_H
#define RUNS_PACE_RUNS_H

#include "cprof.h"
#include "diff/pace.h"
#include "run/measure.h"
#include "run/valgrind.h"
#include "runs/several_runs.h"

/* All is borrowed. */
struct pace_runs {
    const struct job *job; /* of the new build */
    const struct measure *measure;
    const struct run_outcome *outcome; /* of the run that was profiled */
    const char *baseline;              /* the name */
    const struct cprof_profile *old;   /* its profile */
    const char *old_program;           /* the copy, which may be gone, or NULL */
};

/* The ask() of a struct pace_source whose data is a struct pace_runs. SIGTERM and SIGHUP end us
 * meanwhile. */
struct pace pace_runs_ask(void *runs);

#endif
