/*
 * settings.h - the settings of the commands bench and test, and their options.
 */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include "base/options.h"
#include "diff/gate.h"
#include "options/show_options.h"
#include "run/measure.h"
#include "run/program.h"

struct session_settings {
    struct build_request build;
    struct measure measure;
    struct show_settings show; /* -n, --json, -o and the like */
    long parallel;             /* 0: as many as there are processors */
    int sort;                  /* enum bench_sort */
    bool cycles, json;
    const char *save_baseline, *baseline;
    struct string_list fail_if;
    bool tests;
    const char *command, *command_line;
};

/* Tables of options of struct session_settings: of benches, and of tests. */
extern const struct option_def session_bench_targets[], session_test_targets[];
extern const struct option_def session_bench_options[], session_test_options[];
extern const struct option_def session_bench_baselines[], session_test_baselines[];
extern const struct option_def session_output_options[];

/* Checks the settings before anything is done, and reads the gates. Returns 0, or a status after
 * having said what is wrong. */
int session_check(const struct session_settings *settings, const struct option_result *result,
                  struct gates *gates);

#endif
