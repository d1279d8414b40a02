/*
 * profile_run.h - what the commands that run a program have in common: build, run, show, say how it
 * ended.
 */
#ifndef RUNS_PROFILE_RUN_H
#define RUNS_PROFILE_RUN_H

#include "options/command.h"
#include "options/show_options.h"

/* Runs `self`, which differs from its like by what it counts and shows; with a subject other than
 * code it is called as the tool calls that. Returns the exit status. */
int profile_run(const struct command *self, int argc, char **argv, enum show_view view,
                enum cprof_subject subject);
/* profile_run() of the command that has perf take samples. */
int profile_sample(const struct command *self, int argc, char **argv);

#endif
