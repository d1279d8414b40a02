/*
 * valgrind_format.h - the lines that the files of callgrind and cachegrind share.
 */
#ifndef EXPORT_VALGRIND_FORMAT_H
#define EXPORT_VALGRIND_FORMAT_H

#include "cprof.h"

#include <stdio.h>

/* The file's name; "???" for none. */
const char *valgrind_file_name(const struct cprof_profile *profile, uint32_t file);
/* Writes a name as it may be shown (text.h): a control character would end the line, other bytes
 * the reader's patience. "???" for an empty one. */
void valgrind_put_name(FILE *out, const char *name);
/* " 1 2 3", all of them. */
void valgrind_put_counts(FILE *out, const int64_t *counts, uint32_t n);
/* "events: NAME...", a line. */
void valgrind_put_events(FILE *out, const struct cprof_profile *profile);
/* The command line as one text, for the caller to free; "???" where it is not known. */
char *valgrind_command_text(const struct cprof_profile *profile);
/* The command line, in one line; "???" where it is not known. */
void valgrind_put_command(FILE *out, const struct cprof_profile *profile);
/* "desc: I1 cache:         32768 B, 64 B, 8-way associative", one line for each cache. */
void valgrind_put_caches(FILE *out, const struct cprof_profile *profile, const char *blanks);

#endif
