/*
 * doc_tests.h - doc tests: programs that rustdoc builds, starts and removes, one by one.
 */
#ifndef BENCH_DOC_TESTS_H
#define BENCH_DOC_TESTS_H

#include "bench/bench_run.h"

/* True where rustdoc lets another program start doc tests. */
bool doc_tests_can_run(void);

/* Runs those of the run's package. Returns as bench_run(), with a kept profile for each row. */
json_t *doc_tests_run(const struct bench_run *run);

#endif
