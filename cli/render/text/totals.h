/*
 * totals.h - what is known of a profile as a whole, as headings show it.
 */
#ifndef TEXT_TOTALS_H
#define TEXT_TOTALS_H

#include "cprof.h"

/* The events of one line of the totals. Misses of both levels, as the cache simulator names them;
 * NULL where a kind of access has no such. */
struct heading_access {
    const char *title, *brief, *accesses, *first, *last;
};

enum { HEADING_ACCESSES = 5, HEADING_FIRST_BRANCH = 3 };
extern const struct heading_access heading_accesses[HEADING_ACCESSES];

/* The command line: the arguments, those with blanks in quotes, or the file's own text. NULL: not
 * known. The caller frees it. */
char *heading_command(const struct cprof_profile *profile);

/* "I1  32 KiB, 8-way, lines of 64 B", whose text is as the file has it; NULL where nothing is known
 * of the cache. The caller frees it. */
char *heading_cache(const struct cprof_cache *cache);

#endif
