/*
 * section_part.h - sections on the first screen, and warnings of those that went wrong.
 */
#ifndef REPORT_SECTION_PART_H
#define REPORT_SECTION_PART_H

#include "cprof.h"

/* Warns of sections that never began, never ended, ended in another thread, or caught next to
 * nothing; each may make all that is shown of them wrong. */
void section_warnings(const struct cprof_profile *profile);

/* Says which sections the program's file has that never began: they are in code that did not run.
 */
void section_note_unused(const struct cprof_profile *profile);

#endif
