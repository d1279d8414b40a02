/*
 * bench_targets.h - whether packages have benches at all, told before anything is compiled.
 */
#ifndef RUN_BENCH_TARGETS_H
#define RUN_BENCH_TARGETS_H

#include "run/program.h"

#include <jansson.h>

/* False where cargo's metadata has no target for benches in the packages that are asked for, and no
 * source of theirs a function that libtest would take for one (#[bench]). True, too, where a target
 * is named: cargo says what is wrong with that. */
bool bench_targets_are_there(const struct build_request *request, const json_t *metadata);

#endif
