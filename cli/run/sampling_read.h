/*
 * sampling_read.h - what perf recorded, made a raw profile.
 */
#ifndef RUN_SAMPLING_READ_H
#define RUN_SAMPLING_READ_H

#include "base/options.h"
#include "cprof_internal.h"
#include "run/probes.h"
#include "run/sampling.h"
#include "run/tempdir.h"
#include "symbols/code_places.h"

#include <stdbool.h>
#include <stdint.h>

/*--- Sections ---*/

/*
 * When the sections that a program names begin and end, in a run at full speed: a
 * file that the program's marks write to (rust/cprof, rust/c/cprof-sections.h), and that says of a
 * sample whether its thread was in one.
 */

/* A stay of a thread in one of the sections, in ns of CLOCK_MONOTONIC. */
struct section_stay {
    uint64_t tid, begin, end;
};

/* Zero-initialised is none. */
struct section_log {
    char *path;
    size_t n, room;
    struct section_stay *stays; /* by thread and time; those of a thread do not overlap */
};

/* Makes the file in `dir`, and names it in the environment. Returns 0, or STATUS_ERROR having said
 * what is wrong. */
int section_log_make(struct section_log *log, const struct tempdir *dir,
                     struct string_list *environment);
/* Reads what the program wrote of the sections called so; "*" is any. Warns where some did not fit.
 * Returns 0; STATUS_ERROR having said that none of them ever began. */
int section_log_read(struct section_log *log, const struct string_list *names);
void section_log_free(struct section_log *log);

/*--- Places ---*/

/* Where in its file the code of a sample is. */

/* Fills the place of a frame, as samples_source.locate: `places`, a struct code_places, owns its
 * texts. */
void sample_places_find(void *places, const struct samples_frame *frame,
                        struct samples_place *place);
/* Writes to a FILE, as samples_to_raw() wants it. */
int sample_places_put(void *file, const void *bytes, size_t size);

/*--- Reading ---*/

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
