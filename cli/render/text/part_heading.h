/*
 * part_heading.h - says that what is shown is a part of the program: of sections, by --section.
 */
#ifndef TEXT_PART_HEADING_H
#define TEXT_PART_HEADING_H

#include "cprof.h"

#include <stdbool.h>
#include <stdio.h>

/* "section 'parse'", "sections 'field' and 'parse'"; NULL: it is the whole program. The caller
 * frees it. */
char *part_heading_text(const struct cprof_profile *profile);
/* Writes a line that says so, and a blank one; nothing where it is the whole program. */
void part_heading_write(const struct cprof_profile *profile, bool color, FILE *out);

#endif
