/*
 * run_settings.h - the settings of a command that runs a program.
 */
#ifndef RUNS_RUN_SETTINGS_H
#define RUNS_RUN_SETTINGS_H

#include "options/show_options.h"
#include "run/program.h"
#include "run/sampling.h"
#include "run/valgrind.h"
#include "runs/profile_run.h"
#include "views/compare.h"

struct run_settings {
    struct build_request build;
    struct measure measure;
    struct sampling sampling;       /* in place of that, where it is on */
    bool keep;                      /* a standard file in the current folder */
    const char *flamegraph;         /* a flame graph into this file; NULL: none */
    const char *html;               /* a page for a browser, the same */
    bool open;                      /* that, or else the flame graph, is opened */
    bool processes, parts, threads; /* each is shown apart */
    const char *save_baseline;      /* keep the profile under this name */
    const char *baseline;           /* compare with the one of this name */
    long repeat;                    /* runs in all; 0: not given */
    long parallel;                  /* of those before the last, at once; 0: not given */
    bool tui;                       /* browse instead of a table */
    struct show_settings show;
    struct compare_settings compare;
    enum show_view view;
    enum cprof_subject subject; /* its table is shown where no other is asked for */
    const char *command;        /* the command's name */
    const char *command_line;   /* with its options, as they were given */
};

/* Runs the program once by what measures it, the Valgrind tool or perf, as valgrind_run() and
 * sampling_run() do. */
int run_program(const struct run_settings *settings, const struct program *program,
                char **arguments, const struct tempdir *dir, struct run_outcome *outcome);

#endif
