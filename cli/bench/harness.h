/*
 * harness.h - the harnesses of benches: how each is recognised, told to run one bench once, and
 * where in its code the bench begins.
 *
 * A harness is recognised by a function of its own in the executable's symbol table, before
 * anything is run: an executable that has none of them may do anything when it is started, and is
 * started once, to be profiled as a whole.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include "base/options.h"
#include "cprof.h"
#include "run/cargo.h"

#include <stdbool.h>

/* How a harness prints its list. */
enum harness_list {
    LIST_NONE,  /* it has none */
    LIST_LINES, /* "NAME: bench" or "NAME: benchmark", a line each */
    LIST_TREE   /* paths drawn as a tree */
};

struct harness {
    const char *name;   /* for people: "criterion" */
    const char *symbol; /* part of a symbol's name, in either mangling */
    const char *crate;  /* its code is in this crate */
    /* The source file, by the end of its path, that has the loop around the measured code. NULL:
     * a run is the bench. */
    const char *file;
    const char *function; /* part of the name of that loop's function; NULL: any in the file */
    /* The word that is on the line of that file which calls the measured code. NULL: any call from
     * there to other code but the loop's own (Instant::now() and the like). */
    const char *routine;
    const char *own_runner; /* it starts itself again, by this; NULL: it does not */
    const char *words[2];   /* that have it run one bench once; the bench's name comes behind them,
                               where there is a list */
    bool pattern;           /* that name is a regular expression */
    bool ignores; /* its list has benches that it will not run, and --ignored names them */
    enum harness_list list;
};

/* The harness of an executable; never NULL. */
const struct harness *harness_find(const char *path);

/*
 * The names of its benches, as the harness prints them, in memory of their own for the caller
 * (harness_names_free). One that has no list gives one name, the executable's. Returns 0, or
 * STATUS_ERROR after having said that its output is not understood.
 */
int harness_names(const struct harness *harness, const struct program *program,
                  struct string_list *names);
void harness_names_free(struct string_list *names);

/* Adds the words that have it run the bench `name` once, in memory of their own. */
void harness_words(const struct harness *harness, const char *name, struct string_list *words);

#endif
