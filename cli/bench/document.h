/*
 * document.h - what came of all runs of benches, or of tests: the document that --json writes and
 * that a baseline is (doc/bench.schema.json), and the same as structs.
 */
#ifndef BENCH_DOCUMENT_H
#define BENCH_DOCUMENT_H

#include "bench/bench_run.h"
#include "diff/environment.h"
#include "diff/gate.h"
#include "table/columns.h"

#define DOCUMENT_SCHEMA "cprof-bench/1"

/* An empty document. `command_line` as it was given. */
json_t *document_begin(const char *command_line, bool tests);
/* Adds what bench_run() gave, whose rows it completes and shares, or (NULL) that a run failed. */
void document_add(json_t *document, const struct bench_run *run, json_t *result);

/* Adds each count of `more`, or with `sign` -1 takes it away, to that of the same name. */
void document_add_counts(json_t *to, json_t *more, int sign);

struct bench_row {
    const char *package, *target, *name; /* together they name it */
    const char *harness;                 /* "tests" for tests */
    const char *function, *run;          /* to look at; NULL: not known */
    int64_t iterations;                  /* at least 1 */
    bool whole;                  /* the run's total: the harness has no loop that is known */
    bool failed;                 /* it did: counts are of what ran before */
    int64_t *counts;             /* of one iteration, rounded; n_events */
    size_t n_orders;             /* of its threads; 0: it has none, or their order is free */
    int64_t *orders;             /* counts in each of them, the first one's first */
    const struct bench_row *old; /* the baseline's; NULL: none */
    const struct environment *environment; /* of its run; NULL: not known */
};

/* Texts belong to the JSON document, which must outlive this. */
struct bench_rows {
    struct events events;
    struct columns columns;
    const struct columns *old_columns; /* of the counts of each row's `old`; NULL: not compared */
    size_t n_old_events;               /* of these */
    size_t n;
    struct bench_row *items; /* in the order of the runs */
    int64_t *totals;         /* of all runs */
    int64_t *threads;        /* of those of threads that what is measured has started itself */
    int64_t *measured;       /* the sum of all rows, with all their iterations */
    struct environment *environments; /* that its runs were made in, each once */
};

/* Reads a document. Returns false, with nothing to free, where it is none. */
bool bench_rows_read(struct bench_rows *rows, const json_t *document);
/* Finds each row's partner in `old`, which must outlive `rows`. Returns how many rows of `old` have
 * none. */
size_t bench_rows_compare(struct bench_rows *rows, const struct bench_rows *old);
/* The values of the column called `name`, then and now. Returns false where either is not known. */
bool bench_change(const struct bench_rows *rows, const struct bench_row *row, const char *name,
                  int64_t *before, int64_t *after);
/* The value of the column called `name` in the orders of threads that a row ran in. Returns false
 * where it has one order, or all are equal. */
bool bench_band(const struct bench_rows *rows, const struct bench_row *row, const char *name,
                struct gate_count *band);
/* Adds in what the environments of rows and of their partners differ. */
void bench_environments(const struct bench_rows *rows, struct environment_diff *diff);
void bench_rows_free(struct bench_rows *rows);

/* `count`, of all iterations, for one; rounded. */
int64_t bench_each(int64_t count, int64_t iterations);

/*--- Baselines ---*/

/* The baseline called `name` below `target` (NULL: the nearest package's, or the user's), for the
 * caller to decref; NULL after having said what is wrong. */
json_t *bench_baseline_load(const char *target, const char *name, bool tests);
/* How many rows that baseline has; -1: there is none that can be read. Says nothing. */
long bench_baseline_rows(const char *target, const char *name, bool tests);
/* Keeps a document under that name. Returns 0, or STATUS_ERROR after having said what is wrong. */
int bench_baseline_save(const json_t *document, const char *target, const char *name, bool tests);

#endif
