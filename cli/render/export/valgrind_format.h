/*
 * valgrind_format.h - the lines that files of callgrind and cachegrind have in common.
 */
#ifndef EXPORT_VALGRIND_FORMAT_H
#define EXPORT_VALGRIND_FORMAT_H

#include "cprof.h"

#include <stdio.h>

/* The name of a file; "???" for none. */
const char *valgrind_file_name(const struct cprof_profile *profile, uint32_t file);
/* Writes a clean name, "???" for an empty one: a control character would end the line. */
void valgrind_put_name(FILE *out, const char *name);
/* Writes all counts, a blank before each: " 1 2 3". */
void valgrind_put_counts(FILE *out, const int64_t *counts, uint32_t n);
/* Writes the line "events: NAME...". */
void valgrind_put_events(FILE *out, const struct cprof_profile *profile);
/* The command line as one text, "???" where it is not known; the caller frees it. */
char *valgrind_command_text(const struct cprof_profile *profile);
/* Writes the command line within a line; "???" where it is not known. */
void valgrind_put_command(FILE *out, const struct cprof_profile *profile);
/* Writes a line for each cache: "desc: I1 cache: 32768 B, 64 B, 8-way associative". */
void valgrind_put_caches(FILE *out, const struct cprof_profile *profile, const char *blanks);

#endif
