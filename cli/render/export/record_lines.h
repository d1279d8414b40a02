/*
 * record_lines.h - cost records without addresses, summed up by line and in the order of a file.
 */
#ifndef EXPORT_RECORD_LINES_H
#define EXPORT_RECORD_LINES_H

#include "cprof.h"

#include <stddef.h>
#include <stdint.h>

/* A cost record of the profile, and the keys of its group; `counts` are n_events, in an array of
 * the list. */
struct record_line {
    uint32_t function; /* index in the profile */
    uint32_t file;     /* the line's file; CPROF_NONE: not known */
    uint32_t line;
    const int64_t *counts;
};

struct record_lines {
    size_t n;
    struct record_line *items;
    int64_t *counts;
};

/* Sums up costs by (function, file, line): records may differ in their address. */
void record_lines_by_function(struct record_lines *lines, const struct cprof_profile *profile);
/* Sums up costs by (name of file, name of function, line), as cachegrind sorts them; functions of
 * one name and file are one. */
void record_lines_by_file(struct record_lines *lines, const struct cprof_profile *profile);
void record_lines_free(struct record_lines *lines);

#endif
