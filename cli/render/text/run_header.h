/*
 * run_header.h - the line above a table that says what was run.
 *
 *     logan access.log · callgrind --release · 404,633,100 instructions · 3 min ago
 */
#ifndef TEXT_RUN_HEADER_H
#define TEXT_RUN_HEADER_H

#include "cprof.h"
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
    unsigned width;
    bool fixed; /* the width is a real limit */
    bool color, utf8;
};

void run_header_write(const struct run_header *h, FILE *out);
/* Writes a blank line and a rule, which part a table from what the program wrote above it. */
void run_header_rule(unsigned width, bool color, bool utf8, FILE *out);

/*--- A part of the program ---*/

/* The part of the program that --section shows: "section 'parse'", "sections 'field' and 'parse'";
 * NULL: it is the whole program. The caller frees it. */
char *part_heading_text(const struct cprof_profile *profile);
/* Writes a line that says so, and a blank one; nothing where it is the whole program. */
void part_heading_write(const struct cprof_profile *profile, bool color, FILE *out);

#endif
