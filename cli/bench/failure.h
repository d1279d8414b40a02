/*
 * failure.h - messages about a run of a harness that went wrong, or counts less than it seems to.
 */
#ifndef BENCH_FAILURE_H
#define BENCH_FAILURE_H

#include "bench/bench_run.h"
#include "bench/harness.h"
#include "names/crates.h"

/* Says that a run failed (`result` as bench_run() gave it, or NULL), with what it printed; lines
 * that another one printed before its panic, which are `shown`, are not shown again. */
void failure_say(struct string_list *shown, const struct bench_run *run, const json_t *result,
                 const char *output);
/* Says that it failed in an order of threads by `seed`, as failure_say() does. */
void failure_say_order(const struct bench_run *run, const json_t *result, long seed,
                       const char *output);
/* Says that its tests cannot be told apart. Returns STATUS_ERROR. */
int failure_say_unnamed(const struct bench_run *run, const char *library);
/* Says that processes which it started are not counted, if there are any. */
void failure_note_left(const struct bench_run *run, const json_t *result);

/*--- Ends ---*/

/*
 * How a harness ended: by itself, or by code that it ran and that ended the process.
 *
 * libtest's end is a function that is called through a table, and so is in the profile wherever it
 * ran. Criterion and divan return from main(): there a call of exit() that they have on their path,
 * or that is on another thread, is none of theirs.
 */

enum ending {
    ENDING_UNKNOWN, /* nothing tells: there is no harness that is known, or no symbols */
    ENDING_OWN,
    ENDING_EARLY /* the harness did not end */
};

/* The end of a profile with names and call paths; `harness` NULL: that of tests. */
enum ending ending_of(const struct cprof_profile *profile, const struct crates *crates,
                      const struct harness *harness);

#endif
