/*
 * run_load.h - the profiles that a run has left, read and given names.
 */
#ifndef RUNS_RUN_LOAD_H
#define RUNS_RUN_LOAD_H

#include "options/show_options.h"
#include "run/rawset.h"
#include "run/valgrind.h"

/* The named profile of a whole run, or NULL after having said what is wrong. `*qualities` as
 * load_named_profile() has it. */
struct cprof_profile *run_load(const struct run_outcome *outcome, const struct show_settings *show,
                               enum name_quality **qualities);
/* The raw profile of `n` neighbouring pieces; NULL after having said what is wrong. */
struct cprof_profile *run_load_pieces(const struct rawset *set, size_t first, size_t n);
/* How many processes went on, in the end, as programs that have no profile (exec). */
size_t run_count_left(const struct rawset *set);
/* Gives a raw profile names, and frees it. NULL after having said what is wrong. */
struct cprof_profile *run_add_names(struct cprof_profile *raw, const struct show_settings *show,
                                    enum name_quality **qualities);

/* Says that the program's file has gone since the run, for what has no line below a table to say
 * so. */
void run_warn_names(const struct cprof_profile *profile, const enum name_quality *qualities);

#endif
