/*
 * section_log.h - when the sections that a program names begin and end, in a run at full speed: a
 * file that the program's marks write to (rust/cprof, rust/c/cprof-sections.h), and that says of a
 * sample whether its thread was in one.
 */
#ifndef RUN_SECTION_LOG_H
#define RUN_SECTION_LOG_H

#include "base/options.h"
#include "run/tempdir.h"

#include <stdbool.h>
#include <stdint.h>

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
/* True where the thread was in one of them. */
bool section_log_has(const struct section_log *log, uint64_t tid, uint64_t time);
void section_log_free(struct section_log *log);

#endif
