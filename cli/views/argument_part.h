/*
 * argument_part.h - counted arguments on the first screen, and options that counted nothing.
 */
#ifndef VIEWS_ARGUMENT_PART_H
#define VIEWS_ARGUMENT_PART_H

#include "options/show_options.h"
#include "views/screen.h"

#include <stdio.h>

/* Writes the tables of all options, by functions of which `own` says that they are own code, with a
 * blank line between them; as Markdown where `screen` is NULL. */
void argument_part_write(const struct cprof_profile *profile, const bool *own,
                         const struct show_settings *settings, const struct show_screen *screen,
                         FILE *out);

/* Warns of options whose functions were never called, with names that are like theirs. */
void argument_notes(const struct cprof_profile *profile);

#endif
