/*
 * bench_run.h - one run of a harness under the tool, and what came of it.
 */
#ifndef BENCH_BENCH_RUN_H
#define BENCH_BENCH_RUN_H

#include "bench/harness.h"
#include "names/crates.h"
#include "run/input.h"
#include "run/measure.h"

#include <jansson.h>

struct bench_run {
    const struct cargo_executable *executable;
    const struct cargo_built *built; /* it is of this */
    const struct harness *harness;   /* NULL: tests */
    const struct build_request *doc; /* of doc tests how they are built; NULL: it is none */
    const char *name;                /* of the bench; NULL: tests */
    char *const *arguments;          /* of the user's, for tests: NULL-terminated; or NULL */
    bool lists;                      /* they only say something of themselves: no profile */
    char *kept;                      /* the profile is kept under this name; NULL: it is not */
    const char *command;             /* "bench" or "test" */
    long orders;                     /* of threads that it runs in, where it has several */
    const struct measure *measure;
    const struct input *input; /* that each run of it has from the start */
};

/*
 * Runs it, keeps the profile, and tells what belongs to whom. The object for the caller to decref:
 *
 *     {"run": "work.parse.bench",          the kept profile; null: it could not be kept, or rows
 *                                          have their own
 *      "status": 0,                        as a shell counts; 1 where it was 0 and "early"
 *      "early": true,                      the harness did not come to its end; may be absent
 *      "ended": true,                      the user has ended it; may be absent
 *      "threaded": true,                   what is measured has started threads, and their order
 *                                          is not fixed; may be absent
 *      "beside": true,                     tests ran side by side, in an order that is not fixed;
 *                                          may be absent
 *      "left": 1,                          processes that went on without a profile; may be absent
 *      "announced": 52,                    tests that the harness was to run; may be absent
 *      "failed": ["parse"],                tests that the harness says failed; may be absent
 *      "events": ["Ir"],
 *      "totals": {"Ir": 1234},             of the run as a whole
 *      "environment": {"kernel": "6.1"},   its facts that are known, by environment_word()
 *      "unnamed": "libtest-1a.so",         this has no symbols, so no test is found; may be absent
 *      "threads": {"Ir": 12},              of threads that are nobody's; may be absent
 *      "rows": [{"name": "parse", "iterations": 1, "counts": {"Ir": 1000}, "function": "work::f",
 *                "whole": false,           `whole`: the harness's loop was not found
 *                "orders": {"Ir": [1000, 1010]}}]}
 *                                          of one iteration in each order of threads, where these
 *                                          are fixed; the first is that of `counts`; may be absent
 *
 * NULL after having said why there is no profile.
 */
json_t *bench_run(const struct bench_run *run);
/*
 * Marks the contexts of what a bench measures, by their number: those below its harness's loop, and
 * those of threads that were started there. The profile has names, and inlined calls in its paths;
 * source files are found from `root`. The caller frees the array; NULL: no such loop ran.
 */
bool *bench_contexts(const struct cprof_profile *profile, const struct crates *crates,
                     const struct harness *harness, const char *root);
/* The name of the package that it is of. */
const char *bench_package(const struct bench_run *run);

/* Flags of the contexts of a profile of the run, in any style of names, that belong to its row
 * `name`, for the caller to free; NULL: there is no such row. */
bool *bench_row_contexts(const struct bench_run *run, const struct cprof_profile *profile,
                         const struct crates *crates, const char *name);

/* The result of a profile with names, whose program ended with `status`. */
json_t *bench_result(const struct bench_run *run, const struct cprof_profile *profile, int status);

#endif
