/*
 * measured.h - what of a run belongs to a bench, or to each test, and what to its harness.
 *
 * Both are told apart by call paths with what was inlined: the debug information says of each
 * instruction which function's it is, even where the whole bench was compiled into the loop around
 * it. A path leaves the harness where a function of another crate is called, or was inlined, on the
 * line of the harness's loop that calls the measured code (struct harness); all below is measured.
 * So the loop, its clock, black_box() and a bench's set-up are the harness's, and what the loop
 * does with the result on that very line (it may drop it) is the bench's, as it is where time is
 * taken.
 *
 * All below test::__rust_begin_short_backtrace is a test's, from its own function on, whatever
 * thread it runs on.
 *
 * A thread that a bench or a test starts itself has a path of its own, and which call started it is
 * not in the profile. But calls of pthread_create() are: where all that are not the harness's are
 * below one item, or on threads that were started so, its threads are the item's. Else they are
 * nobody's, and count as the harness's.
 *
 * A function of the path above the loop that the measured code calls again is recursion, which
 * leads back to the first context (parser/cprof.h): its cost stays there. Harnesses' functions are
 * not called by what they measure.
 */
#ifndef BENCH_MEASURED_H
#define BENCH_MEASURED_H

#include "bench/harness.h"
#include "names/crates.h"
#include "source/source_file.h"

struct measured {
    uint32_t id;         /* in the list's `of`: from 1 on */
    char *name;          /* the test's, as the harness calls it; NULL: a bench */
    uint64_t iterations; /* entries of the loop, each of which runs the measured code once */
    int64_t *counts;     /* of all iterations: the profile's n_events */
    char *function;      /* of a bench the own function that cost most, with what others cost for
                            it; of a test its own; NULL: there is none */
};

/* Zero-initialised is empty. */
struct measured_list {
    size_t n, room;
    struct measured *items;
    uint32_t *of; /* which item each context of the profile belongs to, by its id; 0: none */
};

/* Adds the bench that ran in a profile with call paths; nothing where its harness's loop is not
 * found. Source files are read by `finder`. */
void measured_bench(struct measured_list *list, const struct cprof_profile *profile,
                    const struct crates *crates, const struct harness *harness,
                    struct source_finder *finder);
/* Adds each test that ran and cost anything, by name. */
void measured_tests(struct measured_list *list, const struct cprof_profile *profile,
                    const struct crates *crates);
/* Adds the doc test that ran, by what rustdoc calls it ("src_lib_rs_3_0"); nothing where it is not
 * found. */
void measured_doc_test(struct measured_list *list, const struct cprof_profile *profile,
                       const struct crates *crates);
/* Adds the run as a whole. */
void measured_whole(struct measured_list *list, const struct cprof_profile *profile,
                    const struct crates *crates);
enum measured_threads { THREADS_NONE, THREADS_CHARGED, THREADS_UNKNOWN };

/* Adds up what ran on threads on which the harness, which is in `crate`, runs nothing: what is
 * measured has started them. CHARGED: that was added to the item that has. Call it once, after the
 * list was made of this profile. */
enum measured_threads measured_threads(struct measured_list *list, int64_t *counts,
                                       const struct cprof_profile *profile,
                                       const struct crates *crates, const char *crate);
void measured_free(struct measured_list *list);

#endif
