/*
 * compare.h - showing two profiles side by side and holding them against gates: what the command
 * diff and a run with --baseline have in common.
 */
#ifndef VIEWS_COMPARE_H
#define VIEWS_COMPARE_H

#include "base/options.h"
#include "cprof.h"
#include "diff/gate.h"
#include "diff/noise.h"
#include "names/packages.h"
#include "options/show_options.h"

struct compare_settings {
    bool lines;                 /* --lines */
    bool why;                   /* --why */
    struct string_list fail_if; /* --fail-if, each an expression of gate.h */
};
extern const struct option_def compare_options[];

/* Reads the gates in `texts`. Returns as compare_gates(). */
int compare_read_gates(const struct string_list *texts, struct gates *gates);
/* Reads the gates on two profiles. Returns 0, or STATUS_USAGE after having shown where one is
 * wrong; gates_free() in either case. */
int compare_gates(const struct compare_settings *settings, struct gates *gates);
/* Says that the gate's count is none of `columns`, which `who` ("the baseline has") has, and which
 * there are. Returns STATUS_ERROR. */
int compare_no_count(const struct gate *gate, const char *who, const struct columns *columns);
/* Says why the gate of the result that is broken, but not for noise, could not be checked.
 * `columns` are those of the comparison. Returns STATUS_ERROR. */
int compare_no_gate(const struct gate_result *result, const struct columns *columns);
/* "a::b: Ir 100 -> 110 (+10, +10.00 %)", and how the bands of both sides lie where there are some:
 * of what failed, or of what cannot be told. The caller frees it. */
char *compare_offence(const struct gate_offender *offender, bool failed);
/* Says so, with the gate: an error where it failed, a warning where it cannot be told. */
void compare_say_offence(const struct gate_offender *offender, bool failed);

/* One of the two profiles. */
struct compare_input {
    const struct cprof_profile *profile;
    const struct noise *noise;       /* what it is known to vary by; NULL: not known */
    const struct packages *packages; /* that its program was built from; NULL: not known */
};

/*
 * Writes the comparison of OLD and NEW to `out` as `show` says (table, Markdown or JSON), and a
 * summary where that was asked for; then says on standard error what fails the gates. `root` is the
 * folder that locations are shown relative to. Returns STATUS_GATE where a gate fails, STATUS_ERROR
 * or STATUS_USAGE after having said what is wrong, else 0.
 */
int compare_profiles(const struct compare_input inputs[2], const struct show_settings *show,
                     const struct compare_settings *settings, const struct gates *gates,
                     const char *root, FILE *out);

#endif
