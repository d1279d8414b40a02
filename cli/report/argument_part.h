/*
 * argument_part.h - counted arguments on the first screen, and options that counted nothing.
 */
#ifndef REPORT_ARGUMENT_PART_H
#define REPORT_ARGUMENT_PART_H

#include "names/crates.h"
#include "report/show.h"

#include <stdio.h>

/* Writes the tables of all options, with a blank line between them. */
void argument_part_write(const struct cprof_profile *profile, const struct crates *crates,
                         const struct show_settings *settings, const struct show_screen *screen,
                         FILE *out);
void argument_part_markdown(const struct cprof_profile *profile, const struct crates *crates,
                            const struct show_settings *settings, FILE *out);

/* Warns of options whose functions were never called, with names that are like theirs. */
void argument_notes(const struct cprof_profile *profile);

#endif
