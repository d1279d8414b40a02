/*
 * bench_names.h - benches whose names have a size in them: "sum/100", "sum/200".
 */
#ifndef SCALE_BENCH_NAMES_H
#define SCALE_BENCH_NAMES_H

#include "bench/harness.h"
#include "scale/sizes.h"

/*
 * Finds the benches whose name is `name` with a size in place of {n}: those of `sizes`, or, where
 * that is empty, all that there are, and their sizes. Returns 0, or STATUS_ERROR after having said
 * what is missing.
 */
int bench_names_find(const struct harness *harness, const struct program *program, const char *name,
                     struct sizes *sizes);

#endif
