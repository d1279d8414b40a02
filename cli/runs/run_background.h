/*
 * run_background.h - what a run is seen against: other runs of the same, a baseline, gates.
 */
#ifndef RUNS_RUN_BACKGROUND_H
#define RUNS_RUN_BACKGROUND_H

#include "runs/run_settings.h"

/* Zeros are nothing. */
struct run_background {
    size_t n_earlier;
    struct cprof_profile **earlier; /* of --repeat: those before the one that is shown */
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
/* Adds it; it is the background's from here on. */
void run_background_add(struct run_background *background, struct cprof_profile *profile);
/* How far the earlier runs and `profile` differ. noise_free() afterwards. */
void run_background_measure(const struct run_background *background,
                            const struct cprof_profile *profile, struct noise *noise);
void run_background_free(struct run_background *background);

#endif
