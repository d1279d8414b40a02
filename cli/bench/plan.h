/*
 * plan.h - the runs that benches, or tests, take: found in what cargo built.
 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "bench/bench_run.h"

struct plan {
    size_t n, room;
    struct bench_run *items; /* their `name` and `kept` are owned, all else is borrowed */
    size_t n_benches;        /* that there are, filtered or not */
};

/*
 * Plans a run of each bench whose name has `filter` in it (NULL: of all), in the order of the
 * executables and of their lists; what a run of the command needs else is in `pattern`. What cannot
 * be profiled is named. Returns 0, or STATUS_ERROR after having said what is wrong.
 */
int plan_benches(struct plan *plan, const struct bench_run *pattern, const char *filter);
/* Plans a run of each executable with tests, and of the doc tests of each library, which `doc`
 * (NULL: leave them out) says how to build; of these alone with `only_doc`. What cannot be profiled
 * is named. */
void plan_tests(struct plan *plan, const struct bench_run *pattern, const struct build_request *doc,
                bool only_doc);
void plan_free(struct plan *plan);

#endif
