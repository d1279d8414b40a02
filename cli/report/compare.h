/*
 * compare.h - showing two profiles side by side and holding them against gates: what the command
 * diff and a run with --baseline have in common.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "base/options.h"
#include "cprof.h"
#include "diff/gate.h"
#include "diff/noise.h"
#include "report/show.h"

struct compare_settings {
    bool lines;                 /* --lines */
    struct string_list fail_if; /* --fail-if, each an expression of gate.h */
};
extern const struct option_def compare_options[];

/* Reads the gates. Returns 0, or STATUS_USAGE after having shown where one is wrong; gates_free()
 * in either case. */
int compare_gates(const struct compare_settings *settings, struct gates *gates);

/*
 * Writes the comparison to `out` as `show` says (table, Markdown or JSON), and a summary where that
 * was asked for; then says on standard error what fails the gates. `noise` is as diff_load() takes
 * it, `root` the folder that locations are shown relative to. Returns STATUS_GATE where a gate
 * fails, STATUS_ERROR or STATUS_USAGE after having said what is wrong, else 0.
 */
int compare_profiles(const struct cprof_profile *old, const struct cprof_profile *new,
                     const struct noise *const noise[2], const struct show_settings *show,
                     const struct compare_settings *settings, const struct gates *gates,
                     const char *root, FILE *out, bool to_file);

#endif
