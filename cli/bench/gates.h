/*
 * gates.h - gates on benches and tests (diff/gate.h): on each row that matches, or on all of them
 * together.
 *
 * Conditions that "and" joins and that have one pattern are about one row: they fail where one row
 * fails each of them.
 */
#ifndef BENCH_GATES_H
#define BENCH_GATES_H

#include "bench/document.h"
#include "diff/gate.h"

#include <stdbool.h>
#include <stdint.h>

/* Checks that each gate is about benches (bench(PATTERN), or test(PATTERN) of tests), or about all
 * of them together. Returns 0, or STATUS_USAGE after having said which is not. */
int bench_gates_check(const struct gates *gates, bool tests);

/* Holds the rows against the gates, having said which hold. Returns 0, STATUS_GATE, or STATUS_ERROR
 * where one cannot be held. */
int bench_gates_hold(const struct gates *gates, const struct bench_rows *rows,
                     const struct bench_rows *old);

/* A row's part in gates that fail: the first that it fails itself, by its change, or else one that
 * all rows together fail, where the row has changed as they have. */
struct bench_offence {
    const struct gate *gate; /* NULL: none */
    int64_t change;          /* of the row, by the gate's count */
};

/* The offence of each row, for the caller to free. */
struct bench_offence *bench_gates_failed(const struct gates *gates, const struct bench_rows *rows);

#endif
