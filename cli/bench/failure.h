/*
 * failure.h - messages about a run of a harness that went wrong, or counts less than it seems to.
 */
#ifndef BENCH_FAILURE_H
#define BENCH_FAILURE_H

#include "bench/bench_run.h"

/* Zero-initialised is empty. */
struct failures {
    struct string_list shown; /* lines that benches printed before they failed */
};

/* Says that a run failed (`result` as bench_run() gave it, or NULL), with what it printed; lines
 * that another one printed before its panic are not shown again. */
void failure_say(struct failures *failures, const struct bench_run *run, const json_t *result,
                 const char *output);
/* Says that its tests cannot be told apart. Returns STATUS_ERROR. */
int failure_say_unnamed(const struct bench_run *run, const char *library);
/* Says that processes which it started are not counted, if there are any. */
void failure_note_left(const struct bench_run *run, const json_t *result);
void failures_free(struct failures *failures);

#endif
