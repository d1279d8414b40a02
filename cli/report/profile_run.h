/*
 * profile_run.h - what the commands that run a program have in common: build, run, show, say how it
 * ended.
 */
#ifndef REPORT_PROFILE_RUN_H
#define REPORT_PROFILE_RUN_H

#include "report/command.h"
#include "report/show.h"

/* A command counts this besides, and shows it first. */
enum run_subject { RUN_CODE, RUN_HEAP, RUN_DATA };

/* Runs `self`, which differs from its like by what it counts and shows. Returns the exit status. */
int profile_run(const struct command *self, int argc, char **argv, enum show_view view,
                enum run_subject subject);

#endif
