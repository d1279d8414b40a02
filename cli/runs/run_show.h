/*
 * run_show.h - what becomes of a run's profiles: kept, put together or apart, given names, shown.
 */
#ifndef RUNS_RUN_SHOW_H
#define RUNS_RUN_SHOW_H

#include "run/program.h"
#include "run/tempdir.h"
#include "run/valgrind.h"
#include "runs/run_background.h"
#include "runs/run_settings.h"

/* Keeps the run's profile, shows it as the settings say, and removes `dir`. Returns the exit
 * status. */
int run_show(const struct run_settings *settings, const struct program *program,
             struct run_outcome *outcome, const struct run_background *background,
             struct tempdir *dir);

#endif
