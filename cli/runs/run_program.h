/*
 * run_program.h - one run of the program by what measures it: the Valgrind tool, or perf.
 */
#ifndef RUNS_RUN_PROGRAM_H
#define RUNS_RUN_PROGRAM_H

#include "runs/run_settings.h"

/* As valgrind_run() and sampling_run(). */
int run_program(const struct run_settings *settings, const struct program *program,
                char **arguments, const struct tempdir *dir, struct run_outcome *outcome);

#endif
