/*
 * environment.h - in what two runs of one job differ that may change counts without any change of
 * the program: machine, kernel, libc, compiler, dependencies, options, variables.
 */
#ifndef DIFF_ENVIRONMENT_H
#define DIFF_ENVIRONMENT_H

#include "cprof.h"

#include <stddef.h>

enum { ENVIRONMENT_FACTS = 11 };

/* The value of each fact, as the profile has it; NULL: not known. Texts are borrowed. */
struct environment {
    const char *values[ENVIRONMENT_FACTS];
};

/* The word of a fact in documents: "kernel". */
const char *environment_word(size_t fact);
void environment_load(struct environment *environment, const struct cprof_profile *profile);
/* Loads the facts of the build alone: compiler, flags, dependencies. */
void environment_load_build(struct environment *environment, const struct cprof_profile *profile);

struct environment_change {
    const char *what; /* for people: "kernel" */
    char *old, *new;
};

/* Zero-initialised is empty. */
struct environment_diff {
    struct environment_change *items;
    size_t n;
};

/* Adds the facts that both have and that differ, but each fact once: of several pairs of runs the
 * first that differs there. */
void environment_diff_add(struct environment_diff *diff, const struct environment *old,
                          const struct environment *new);
void environment_diff_free(struct environment_diff *diff);

/* "kernel 6.1.0 -> 6.12.3; flags none -> -Copt-level=2", for the caller to free; NULL: nothing
 * differs. */
char *environment_diff_text(const struct environment_diff *diff);
/* Says it in a note; nothing where nothing differs. */
void environment_diff_note(const struct environment_diff *diff);

#endif
