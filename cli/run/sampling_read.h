/*
 * sampling_read.h - what perf recorded, made a raw profile.
 */
#ifndef RUN_SAMPLING_READ_H
#define RUN_SAMPLING_READ_H

#include "run/probes.h"
#include "run/sampling.h"
#include "run/section_log.h"

/* A run that has ended. */
struct recording {
    const char *data; /* perf's file */
    long stack_bytes; /* that perf copied of each stack; 0: none */
    const struct program *program;
    const struct string_list *words; /* of its command line, with NULL at the end */
    const struct string_list *setup; /* setup.h, as it was when the run began */
    const struct sampling *sampling;
    const struct probes *probes;
    const struct section_log *sections; /* samples in these count; NULL: all do */
    const struct tempdir *dir;
    struct run_outcome *outcome;
};

/* Makes the raw profile in the folder, unless there are no samples. Returns 0; else STATUS_ERROR,
 * having said what is wrong. */
int sampling_read(const struct recording *recording);

/* True if the file is one that `perf record` wrote. */
bool sampling_is_perf_data(const char *path);
/* Makes of such a file, by perf, a profile that the library reads, in memory: a raw one, or where
 * the samples have no stacks perf's text. The caller frees it, in either case. Returns as
 * sampling_read(); a file without samples is an error. */
int sampling_read_perf_data(const char *path, char **bytes, size_t *size);

#endif
