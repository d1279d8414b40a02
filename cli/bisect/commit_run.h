/*
 * commit_run.h - a commit is built and run once: its profile, with names, is kept for as long as
 * what runs stays as it was.
 *
 * All commits are built in one place, in a work tree of ours, and run in the user's current folder,
 * so that they read what lies there: the program alone differs.
 */
#ifndef BISECT_COMMIT_RUN_H
#define BISECT_COMMIT_RUN_H

#include "bisect/repository.h"
#include "run/input.h"
#include "run/measure.h"
#include "run/program.h"

#include <stdbool.h>

struct commit_runs {
    const struct repository *repository;
    const struct build_request *build;
    const char *command;    /* for the shell, which builds; NULL: cargo does */
    char *const *arguments; /* of the program; NULL-terminated, or NULL */
    const struct measure *measure;
    struct input input;
    char *folder; /* for all that follows */
    char *tree;   /* the work tree */
    char *target; /* where cargo builds */
    char *kept;   /* profiles: COMMIT.cprof */
    int lock;     /* a descriptor: nobody else works in the folder; -1: that is not so */
};

/*
 * Makes all that is needed. `words` says what runs: where it is not what was kept with the profiles
 * there, these are removed. Returns 0, or a status after having said what is wrong.
 * commit_runs_end() in either case.
 */
int commit_runs_begin(struct commit_runs *runs, const struct string_list *words);
void commit_runs_end(struct commit_runs *runs);

enum commit_state {
    COMMIT_MEASURED,
    COMMIT_NOT_BUILT,
    COMMIT_NOT_RUN,
    COMMIT_FAILED /* by a signal to us, or having said why: no other commit would do better */
};

/* How a commit was built and run. The texts belong to it. */
struct commit_result {
    enum commit_state state;
    int status;    /* of COMMIT_FAILED, else 0 */
    char *profile; /* the path */
    char *output;  /* what was printed; NULL: nothing */
    char *why;     /* a line of that: why it failed; NULL: nothing says so */
};

/* Builds and runs a commit; not where its profile is kept, unless `anew`. commit_result_free() in
 * either case. */
void commit_run(const struct commit_runs *runs, const char *commit, bool anew,
                struct commit_result *result);
void commit_result_free(struct commit_result *result);

/* Removes the kept profiles of all commits but one: they are of another compiler, machine or
 * input. */
int commit_runs_forget(const struct commit_runs *runs, const char *commit);

#endif
