/*
 * run_repeats.h - the runs of --repeat before the one that is shown.
 */
#ifndef RUNS_RUN_REPEATS_H
#define RUNS_RUN_REPEATS_H

#include "run/input.h"
#include "run/tempdir.h"
#include "runs/run_background.h"
#include "runs/run_settings.h"

/* Runs `program` as often as --repeat says, but once, and adds the profiles to `background`; `dir`
 * is empty before and afterwards. Each reads `input` from where it starts. Returns 0, or a status
 * after having said what is wrong. */
int run_repeats(const struct run_settings *settings, const struct program *program,
                char **arguments, const struct input *input, const struct tempdir *dir,
                struct run_background *background);

#endif
