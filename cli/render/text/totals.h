/*
 * totals.h - what is known of a profile as a whole, as headings show it.
 */
#ifndef TEXT_TOTALS_H
#define TEXT_TOTALS_H

#include "cprof.h"
#include "render/text/table.h"

#include <stdio.h>

/* The events of one line of the totals. Misses of both levels, as the cache simulator names them;
 * NULL where a kind of access has no such. */
struct totals_access {
    const char *title, *brief, *accesses, *first, *last;
};

enum { TOTALS_ACCESSES = 5, TOTALS_FIRST_BRANCH = 3 };
extern const struct totals_access totals_accesses[TOTALS_ACCESSES];

/* The command line: the arguments, those with blanks in quotes, or the file's own text. NULL: not
 * known. The caller frees it. */
char *totals_command(const struct cprof_profile *profile);

/* "I1  32 KiB, 8-way, lines of 64 B", whose text is as the file has it; NULL where nothing is known
 * of the cache. The caller frees it. */
char *totals_cache(const struct cprof_cache *cache);

/* Writes the program's total of what a table is sorted by, as the heading of callgrind's. */
void totals_line(const struct table *t, FILE *out);
/* Writes program, command and caches; then accesses, misses, and their rates: the heading of
 * cachegrind's table. */
void totals_write(struct table *t, FILE *out);

#endif
