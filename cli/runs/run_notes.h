/*
 * run_notes.h - notes on a run, besides its profile.
 */
#ifndef RUNS_RUN_NOTES_H
#define RUNS_RUN_NOTES_H

#include "cprof.h"
#include "resolve/resolve.h"
#include "run/valgrind.h"

/* The exit status that stands for how the program ended, as a shell counts. */
int run_status(const struct run_outcome *outcome);

/* Said after the table: how the program ended, and what to think of the counts. `profile` is of the
 * whole run; `apart`: its processes were shown each for itself. */
void run_notes(const struct measure *measure, const struct run_outcome *outcome,
               const struct cprof_profile *profile, bool apart);

/* Names the files that ran and cannot be looked at: for what has no hints of its own. */
void run_note_missing(const struct cprof_profile *profile, const enum name_quality *qualities);

/* There is no profile: why, as far as can be known, for the caller to free, and what to do. */
char *run_problem(const struct run_outcome *outcome, const char **advice);
/* Says that. Returns the exit status. */
int run_failure(const struct run_outcome *outcome);

#endif
