/*
 * show_arguments.h - options of counted arguments that counted nothing.
 */
#ifndef VIEWS_SHOW_ARGUMENTS_H
#define VIEWS_SHOW_ARGUMENTS_H

#include "cprof.h"

/* Warns of options whose functions were never called, with names that are like theirs. */
void argument_notes(const struct cprof_profile *profile);

#endif
