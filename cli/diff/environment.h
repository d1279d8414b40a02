/*
 * environment.h - in what two runs of one job differ that may change counts without any change of
 * the program: machine, kernel, libc, compiler, dependencies, options, variables.
 */
#ifndef DIFF_ENVIRONMENT_H
#define DIFF_ENVIRONMENT_H

#include "cprof.h"

#include <stddef.h>

struct environment_change {
    const char *what; /* for people: "kernel" */
    char *old, *new;
};

struct environment_diff {
    struct environment_change *items;
    size_t n;
};

/* Finds the facts that both profiles have and that differ. */
void environment_diff_load(struct environment_diff *diff, const struct cprof_profile *old,
                           const struct cprof_profile *new);
void environment_diff_free(struct environment_diff *diff);

/* "kernel 6.1.0 -> 6.12.3; flags none -> -Copt-level=2", for the caller to free; NULL: nothing
 * differs. */
char *environment_diff_text(const struct environment_diff *diff);

#endif
