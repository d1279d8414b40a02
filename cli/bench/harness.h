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
#include "run/cargo.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

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
 * The names of its benches, as the harness prints them, in memory of their own for the caller. One
 * that has no list gives one name, the executable's. Returns 0, or STATUS_ERROR after having said
 * that its output is not understood.
 */
int harness_names(const struct harness *harness, const struct program *program,
                  struct string_list *names);

/* Adds the words that have it run the bench `name` once, in memory of their own. */
void harness_words(const struct harness *harness, const char *name, struct string_list *words);

/*--- Output ---*/

/*
 * The output of a harness of tests, passed on as it comes and looked through: how
 * many tests it announces, whether it has a result, and which tests failed.
 */

struct harness_output {
    long announced; /* "running 3 tests"; -1: no such line */
    bool has_result;
    struct string_list failed; /* in memory of their own */
    bool in_list;              /* the lines are of the list of those that failed */
};
#define HARNESS_OUTPUT_INIT \
    {                       \
        .announced = -1     \
    }

/* Takes in a line. */
void harness_output_line(struct harness_output *output, const char *line);
/* The names of those that failed, as JSON, for the caller to decref. */
json_t *harness_output_failed(const struct harness_output *output);
void harness_output_free(struct harness_output *output);

/*
 * Begins to pass on what is written to standard output from now on, by us or by others, to where
 * standard output led, or standard error with `to_errors`. Returns NULL where that cannot be: then
 * standard output is as it was.
 */
struct passing *passing_begin(struct harness_output *output, bool to_errors);
/* Passes on what is left; standard output is as before. Others may go on writing, to nobody. NULL
 * does nothing. */
void passing_end(struct passing *passing);

/*--- Names drawn as a tree ---*/

/*
 * Names that a harness draws as a tree:
 *
 *     sorting
 *     ├─ merge
 *     │  ├─ 10
 *     │  ╰─ 100
 *     ╰─ quick
 *
 * The path of a leaf is its name, "sorting::merge::10". What else is printed between the lines is
 * no tree's: a line counts where it begins with drawn branches, or at the left with a name alone. A
 * leaf that is "(ignored)" does not count.
 */

struct name_node {
    char *path;
    size_t depth; /* columns before the name */
};

/* Zero-initialised is empty. */
struct name_tree {
    size_t n, room;
    struct name_node *items; /* in the order of the lines */
};

/* Takes in a line; `tree` is a struct name_tree. */
void name_tree_line(void *tree, char *line);
/* Adds the paths of the leaves of `listed` to `names`, in memory of their own. Where `run`, drawn
 * by a run of them all, has leaves below one, they stand in its place; NULL: nothing is known. */
void name_tree_names(const struct name_tree *listed, const struct name_tree *run,
                     struct string_list *names);
void name_tree_free(struct name_tree *tree);

#endif
