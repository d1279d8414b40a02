/*
 * run_settings.h - what commands that run programs have in common: settings, rows of options, the
 * way from the command line to the work. Those that make many runs, of benches, of sizes, of
 * commits, have settings of their own that begin with these.
 */
#ifndef RUNS_RUN_SETTINGS_H
#define RUNS_RUN_SETTINGS_H

#include "options/command.h"
#include "options/show_options.h"
#include "run/program.h"
#include "run/sampling.h"
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
    long orders;                    /* of threads that baselines are of; or ORDERS_UNSET */
    long parallel;                  /* runs at once, but for the one that is shown; 0: not given */
    bool tui;                       /* browse instead of a table */
    struct show_settings show;
    struct compare_settings compare;
    enum show_view view;
    enum cprof_subject subject; /* its table is shown where no other is asked for */
    const char *command;        /* the command's name */
    const char *command_line;   /* with its options, as they were given */
};

/* Members by default; and how to count where runs are to differ by one thing alone. */
#define RUN_SETTINGS_INIT .show = SHOW_SETTINGS_INIT, .orders = ORDERS_UNSET
#define RUN_MEASURE_ALIKE                                                        \
    {                                                                            \
        .contexts = true, .max_contexts = CONTEXTS_UNSET, .deterministic = true, \
        .machine = MACHINE_FIXED, .schedule = SCHEDULE_FIXED                     \
    }

/*--- Options ---*/

/* Rows for any table of options whose settings are, or begin with, a struct run_settings. */
#define RUN_AT(member) offsetof(struct run_settings, member)
#define RUN_OPTION_CACHE_SIM(words)                              \
    {                                                            \
        .name = "cache-sim", .kind = OPTION_FLAG | OPTION_USUAL, \
        .offset = RUN_AT(measure.cache_sim), .help = (words)     \
    }
/* More counts; and what runs have alike, if not switched off, so that "the `what`" alone differs.
 */
#define RUN_OPTIONS_ALIKE(caches, heap_words, what)                                             \
    RUN_OPTION_CACHE_SIM(caches),                                                               \
        {.name = "heap",                                                                        \
         .kind = OPTION_FLAG | OPTION_USUAL,                                                    \
         .offset = RUN_AT(measure.heap),                                                        \
         .help = (heap_words)},                                                                 \
    {                                                                                           \
        .name = "no-deterministic", .kind = OPTION_NO_FLAG,                                     \
        .offset = RUN_AT(measure.deterministic),                                                \
        .help = "random bytes and the environment as they are; else as by --deterministic, so " \
                "that the " what " alone differs"                                               \
    }
#define RUN_OPTION_PARALLEL(usual, words)                                  \
    {                                                                      \
        .name = "parallel", .kind = OPTION_NUMBER | (usual), .value = "N", \
        .offset = RUN_AT(parallel), .help = (words)                        \
    }
#define RUN_OPTION_FAIL_IF(words)                                               \
    {                                                                           \
        .name = "fail-if", .kind = OPTION_LIST | OPTION_USUAL, .value = "EXPR", \
        .offset = RUN_AT(compare.fail_if), .help = (words)                      \
    }
/* `what` is kept under a name, and compared with: "the counts". */
#define RUN_OPTIONS_BASELINE(what)                                                 \
    {.name = "save-baseline",                                                      \
     .kind = OPTION_STRING | OPTION_USUAL,                                         \
     .value = "NAME",                                                              \
     .offset = RUN_AT(save_baseline),                                              \
     .help = "keep " what " under a name, for --baseline"},                        \
    {                                                                              \
        .name = "baseline", .kind = OPTION_STRING | OPTION_USUAL, .value = "NAME", \
        .offset = RUN_AT(baseline), .help = "compare with " what " of that name"   \
    }
/* `what` runs so often: "a bench in N orders". */
#define RUN_OPTION_ORDERS(what)                                                                   \
    {                                                                                             \
        .name = "orders", .kind = OPTION_NUMBER, .value = "N", .offset = RUN_AT(orders),          \
        .help = "run " what ", 1 or 5 to 100, with --schedule fixed: a baseline has the band of " \
                "their counts, and --fail-if holds where no order of the old build "              \
                "costs as much (5, or as many as the baseline has)"                               \
    }

/*--- The command ---*/

/* Does a command's work as command_run() does, with settings that are, or begin with, `settings`,
 * which know the command and its line meanwhile; empties their lists. Returns an exit status. */
int run_by_options(const struct command *self, const struct option_group *groups, int argc,
                   char **argv, command_work *work, struct run_settings *settings);

/* The events that a run will count, "Ir Dr", for checks of columns before it. The caller frees
 * them. */
char *run_events(const struct measure *measure);

#endif
