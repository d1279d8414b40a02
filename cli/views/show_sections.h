/*
 * show_sections.h - warnings of sections that went wrong.
 */
#ifndef VIEWS_SHOW_SECTIONS_H
#define VIEWS_SHOW_SECTIONS_H

#include "cprof.h"

/* Warns of sections that never began, never ended, ended in another thread, or caught next to
 * nothing; each may make all that is shown of them wrong. */
void section_warnings(const struct cprof_profile *profile);

/* Warns of sections of the old profile that never began in the new one. */
void section_warn_vanished(const struct cprof_profile *old, const struct cprof_profile *new);

/* Says which sections the program's file has that never began: they are in code that did not run,
 * which is usual where a program has several modes. Warns where none began. */
void section_note_unused(const struct cprof_profile *profile);

#endif
