/*
 * run_show.h - what becomes of a run's profiles: kept, put together or apart, given names, shown.
 */
#ifndef REPORT_RUN_SHOW_H
#define REPORT_RUN_SHOW_H

#include "report/compare.h"
#include "report/show.h"
#include "run/program.h"
#include "run/tempdir.h"
#include "run/valgrind.h"

struct run_settings {
    struct build_request build;
    struct measure measure;
    bool keep;                      /* a standard file in the current folder */
    const char *flamegraph;         /* a flame graph into this file; NULL: none */
    const char *html;               /* a page for a browser, the same */
    bool processes, parts, threads; /* each is shown apart */
    const char *save_baseline;      /* keep the profile under this name */
    const char *baseline;           /* compare with the one of this name */
    long repeat;                    /* runs in all; 0: not given */
    bool tui;                       /* browse instead of a table */
    struct show_settings show;
    struct compare_settings compare;
    enum show_view view;
    const char *command; /* the command's name */
};

/* What a run is seen against. Zeros are nothing. */
struct run_background {
    size_t n_earlier;
    struct cprof_profile **earlier; /* of --repeat: those before the one that is shown */
    struct cprof_profile *baseline; /* NULL: there is none to compare with */
    bool has_noise;                 /* what the baseline is known to vary by */
    struct noise noise;
    struct gates gates;
};

/* Reads the gates, and, below cargo's folder `target` (or NULL), the baseline. Returns 0, or a
 * status after having said what is wrong; run_background_free() in either case. */
int run_background_gates(struct run_background *background, const struct run_settings *settings);
int run_background_load(struct run_background *background, const struct run_settings *settings,
                        const char *target);
/* Adds the profile of a run that is not shown, and removes what it left in `dir`. Returns 0, or a
 * status after having said what is wrong: there is none. */
int run_background_add(struct run_background *background, const struct run_outcome *outcome,
                       const struct show_settings *show, const struct tempdir *dir);
/* How far the earlier runs and `profile` differ. noise_free() afterwards. */
void run_background_measure(const struct run_background *background,
                            const struct cprof_profile *profile, struct noise *noise);
void run_background_free(struct run_background *background);

/* Shows the run's profile as the settings say, and removes `dir`. Returns the exit status. */
int run_show(const struct run_settings *settings, const struct program *program,
             const struct run_outcome *outcome, const struct run_background *background,
             struct tempdir *dir);

/* The named profile of a whole run, or NULL after having said what is wrong. `*qualities` as
 * load_named_profile() has it. */
struct cprof_profile *run_load(const struct run_outcome *outcome, const struct show_settings *show,
                               enum name_quality **qualities);

#endif
