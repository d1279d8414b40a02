/*
 * record_lines.h - what the two standard formats share: costs without addresses, in the order of
 * the file, and names that stay on one line.
 */
#ifndef EXPORT_RECORD_LINES_H
#define EXPORT_RECORD_LINES_H

#include "cprof.h"

#include <stdio.h>

/* A cost record of the profile and what it is grouped by; `counts` are n_events, in an array of the
 * list. */
struct line {
    uint32_t function; /* index in the profile */
    uint32_t file;     /* of the line; CPROF_NONE: not known */
    uint32_t line;
    const int64_t *counts;
};

struct lines {
    size_t n;
    struct line *items;
    int64_t *counts;
};

/* Costs by (function, file, line): records that differ in their address are added up. */
void lines_by_function(struct lines *lines, const struct cprof_profile *profile);
/* Costs by (file's name, function's name, line), as cachegrind sorts them; functions of one name
 * and file are one. */
void lines_by_file(struct lines *lines, const struct cprof_profile *profile);
void lines_free(struct lines *lines);

/* The file's name; "???" for none. */
const char *line_file(const struct cprof_profile *profile, uint32_t file);
/* Writes a name as it may be shown (text.h): a control character would end the line, other bytes
 * the reader's patience. "???" for an empty one. */
void put_name(FILE *out, const char *name);
/* " 1 2 3", all of them. */
void put_counts(FILE *out, const int64_t *counts, uint32_t n);
/* "events: NAME...", a line. */
void put_events(FILE *out, const struct cprof_profile *profile);
/* The command line as one text, for the caller to free; "???" where it is not known. */
char *command_text(const struct cprof_profile *profile);
/* The command line, in one line; "???" where it is not known. */
void put_command(FILE *out, const struct cprof_profile *profile);
/* "desc: I1 cache:         32768 B, 64 B, 8-way associative", one line for each cache. */
void put_caches(FILE *out, const struct cprof_profile *profile, const char *blanks);

#endif
