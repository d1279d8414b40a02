/*
 * harness_output.h - what a harness of tests prints, passed on as it comes and looked through: how
 * many tests it announces, whether it has a result, and which tests failed.
 */
#ifndef BENCH_HARNESS_OUTPUT_H
#define BENCH_HARNESS_OUTPUT_H

#include "base/options.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

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

#endif
