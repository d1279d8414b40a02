/* totals.h - the lines above a table: program, command, caches, and counts of the whole program. */
#ifndef TEXT_TOTALS_H
#define TEXT_TOTALS_H

#include "cprof.h"
#include "render/text/function_table.h"

#include <stdio.h>

/* The events of one line of the totals, with the cache simulator's names; NULL where a kind of
 * access has no such misses. */
struct totals_access {
    const char *title, *brief, *accesses, *first, *last;
};

enum { TOTALS_ACCESSES = 5, TOTALS_FIRST_BRANCH = 3 };
extern const struct totals_access totals_accesses[TOTALS_ACCESSES];

/* The command line: the arguments, those with blanks in quotes, or the text of the file; NULL where
 * it is not known. The caller frees it. */
char *totals_command(const struct cprof_profile *profile);

/* "I1 32 KiB, 8-way, lines of 64 B", or the text of the file; NULL where nothing is known of the
 * cache. The caller frees it. */
char *totals_cache(const struct cprof_cache *cache);

/* Writes the heading of callgrind's table: the program's total of the measure. */
void totals_line(const struct function_table *t, FILE *out);
/* Writes the heading of cachegrind's table: program, command and caches; then accesses, misses, and
 * their rates. */
void totals_write(struct function_table *t, FILE *out);

/* "lost: 1,059,731 of 1,100,003 samples (96.3 %)...": what is missing from the counts of samples;
 * NULL: nothing. The caller frees it. */
char *totals_lost(const struct cprof_profile *profile);

#endif
