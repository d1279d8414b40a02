/*
 * ending.h - how a harness ended: by itself, or by code that it ran and that ended the process.
 *
 * libtest's end is a function that is called through a table, and so is in the profile wherever it
 * ran. Criterion and divan return from main(): there a call of exit() that they have on their path,
 * or that is on another thread, is none of theirs.
 */
#ifndef BENCH_ENDING_H
#define BENCH_ENDING_H

#include "bench/harness.h"
#include "names/crates.h"

enum ending {
    ENDING_UNKNOWN, /* nothing tells: there is no harness that is known, or no symbols */
    ENDING_OWN,
    ENDING_EARLY /* the harness did not end */
};

/* The end of a profile with names and call paths; `harness` NULL: that of tests. */
enum ending ending_of(const struct cprof_profile *profile, const struct crates *crates,
                      const struct harness *harness);

#endif
