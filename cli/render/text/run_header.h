/*
 * run_header.h - the line above a table that says what was run.
 *
 *     logan access.log · callgrind --release · 404,633,100 instructions · 3 min ago
 */
#ifndef TEXT_RUN_HEADER_H
#define TEXT_RUN_HEADER_H

#include "cprof.h"
#include "render/text/function_table.h"
#include "table/columns.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct run_header {
    const struct cprof_profile *profile;
    const char *program;          /* name of the program; NULL: the profile's own */
    const char *file;             /* the profile; NULL: the last run's */
    const char *command;          /* what ran it, "callgrind --release"; NULL: not known */
    const struct column *measure; /* its total is shown */
    time_t when;                  /* the profile was written; 0: just now, or not known */
    struct text_screen screen;
};

void run_header_write(const struct run_header *h, FILE *out);
/* Writes a blank line and a rule, which part a table from what the program wrote above it. */
void run_header_rule(const struct text_screen *screen, FILE *out);

/* The program's name, `name` or as far as the profile knows, the part of it where that is not NULL,
 * and how it ended. The caller frees it. */
char *profile_title(const struct cprof_profile *profile, const char *name, const char *part);

/*--- A part of the program ---*/

/* The part of the program that --section shows: "section 'parse'", "sections 'field' and 'parse'";
 * NULL: it is the whole program. The caller frees it. */
char *part_heading_text(const struct cprof_profile *profile);
/* Writes a line that says so, and a blank one; nothing where it is the whole program. As Markdown
 * where `screen` is NULL. */
void part_heading_write(const struct cprof_profile *profile, const struct text_screen *screen,
                        FILE *out);

/*--- Totals ---*/

/* The lines above a table: program, command, caches, and counts of the whole program. */

/* Fills a table of what the whole program accessed, or of its branches, each with the misses and
 * their rates where they were counted; the caller frees it. */
void totals_fill(const struct cprof_profile *profile, bool branches, struct table *table);
/* Adds all other events to the table. */
void totals_put_others(const struct cprof_profile *profile, struct table *table);

/* The command line: the arguments, those with blanks in quotes, or the text of the file; NULL where
 * it is not known. The caller frees it. */
char *totals_command(const struct cprof_profile *profile);

/* "I1 32 KiB, 8-way, lines of 64 B", or the text of the file; NULL where nothing is known of the
 * cache. The caller frees it. */
char *totals_cache(const struct cprof_cache *cache);

/* Writes the heading of callgrind's table and of trees: the program's total of the measure. */
void totals_line(const struct column *measure, const int64_t *totals,
                 const struct text_screen *screen, FILE *out);
/* Writes the heading of cachegrind's table: program, command and caches; then accesses, misses, and
 * their rates. */
void totals_write(const struct function_table *t, FILE *out);

/* "lost: 1,059,731 of 1,100,003 samples (96.3 %)...": what is missing from the counts of samples;
 * NULL: nothing. The caller frees it. */
char *totals_lost(const struct cprof_profile *profile);

#endif
