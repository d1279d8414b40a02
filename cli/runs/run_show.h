/*
 * run_show.h - what becomes of a run's profiles: kept, put together or apart, given names, shown.
 */
#ifndef RUNS_RUN_SHOW_H
#define RUNS_RUN_SHOW_H

#include "run/rawset.h"
#include "run/tempdir.h"
#include "run/valgrind.h"
#include "runs/run_settings.h"

/*--- The profile ---*/

/* The profiles that a run has left, read and given names. */

/* The named profile of a whole run, or NULL after having said what is wrong. `*qualities` as
 * load_named_profile() has it. */
struct cprof_profile *run_load(const struct run_outcome *outcome, const struct show_settings *show,
                               enum name_quality **qualities);
/* The raw profile of `n` neighbouring pieces; NULL after having said what is wrong. */
struct cprof_profile *run_load_pieces(const struct rawset *set, size_t first, size_t n);
/* How many processes went on, in the end, as programs that have no profile (exec). */
size_t run_count_left(const struct rawset *set);

/*--- In the background ---*/

/* The other runs of the program, the baseline and the gates that a run is seen against. */

/* Zeros are nothing. */
struct run_background {
    size_t n_others;
    struct cprof_profile **others;  /* runs but the one that is shown */
    bool orders;                    /* each has another order of threads, by their seeds; else they
                                       are alike */
    char *old_program;              /* the copy that the baseline has; NULL: there is no baseline */
    struct cprof_profile *baseline; /* NULL: there is none to compare with */
    struct packages packages;       /* that it was built from */
    bool has_noise;                 /* what the baseline is known to vary by */
    struct noise noise;
    struct gates gates;
};

/* Reads the gates, and, below cargo's folder `target` (or NULL), the baseline. Returns 0, or a
 * status after having said what is wrong; run_background_free() in either case. */
int run_background_gates(struct run_background *background, const struct run_settings *settings);
int run_background_load(struct run_background *background, const struct run_settings *settings,
                        const char *target);
/* The profile of a run that is not shown, for the caller to free or to add. Returns 0, or a status
 * after having said what is wrong: there is none. */
int run_background_read(const struct run_outcome *outcome, const struct show_settings *show,
                        struct cprof_profile **profile);
/* How many orders of threads are wanted: those of the option, or of the baseline, or the usual. */
long run_background_orders(const struct run_background *background,
                           const struct run_settings *settings);
/* Adds it; it is the background's from here on. */
void run_background_add(struct run_background *background, struct cprof_profile *profile);
/* Measures how far the other runs and `profile` differ. noise_free() afterwards. */
void run_background_measure(const struct run_background *background,
                            const struct cprof_profile *profile, struct noise *noise);
void run_background_free(struct run_background *background);

/*--- Showing ---*/

/* Keeps the run's profile and reads it into `*whole`, which has no names yet, for run_show() to
 * take. Returns 0, or a status after having said why there is none. */
int run_keep(const struct run_settings *settings, const struct program *program,
             struct run_outcome *outcome, struct cprof_profile **whole);

/* Shows the profile that run_keep() gave, as the settings say, and removes `dir`. Returns the exit
 * status. */
int run_show(const struct run_settings *settings, const struct program *program,
             const struct run_outcome *outcome, const struct run_background *background,
             struct tempdir *dir, struct cprof_profile *whole);

#endif
