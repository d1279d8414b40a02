/*
 * gates.h - gates on benches and tests, and the baselines that they are compared with.
 */
#ifndef BENCH_GATES_H
#define BENCH_GATES_H

#include "bench/document.h"
#include "diff/gate.h"

/* Checks that each gate is about benches (bench(PATTERN), or test(PATTERN) of tests), or about all
 * of them together. Returns 0, or STATUS_USAGE after having said which is not. */
int bench_gates_check(const struct gates *gates, bool tests);

/* Holds the rows against the gates, having said which hold. Returns 0, STATUS_GATE, or STATUS_ERROR
 * where one cannot be held. */
int bench_gates_hold(const struct gates *gates, const struct bench_rows *rows,
                     const struct bench_rows *old);

/* The baseline called `name` below `target` (NULL: the nearest package's, or the user's), for the
 * caller to decref; NULL after having said what is wrong. */
json_t *bench_baseline_load(const char *target, const char *name, bool tests);
/* How many rows that baseline has; -1: there is none that can be read. Says nothing. */
long bench_baseline_rows(const char *target, const char *name, bool tests);
/* Keeps a document under that name. Returns 0, or STATUS_ERROR after having said what is wrong. */
int bench_baseline_save(const json_t *document, const char *target, const char *name, bool tests);

#endif
