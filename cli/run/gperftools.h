/*
 * gperftools.h - samples by the library of gperftools, which a program takes of itself: by a timer
 * of its own, without rights.
 */
#ifndef RUN_GPERFTOOLS_H
#define RUN_GPERFTOOLS_H

#include "base/process.h"
#include "cprof.h"
#include "run/sampling.h"

#include <stdbool.h>
#include <stddef.h>

/* Runs the program, with the library preloaded where it is not linked with it, and leaves its
 * profile in `dir`. Returns 0 with the outcome filled; else STATUS_ERROR, having said what is
 * wrong.
 */
int gperftools_run(struct process_spec *spec, const struct sampling *sampling,
                   const struct tempdir *dir, struct run_outcome *outcome);

/*--- Raw profiles ---*/

/* A processor profile of gperftools, made a raw profile, so that its addresses get names. */

#endif
