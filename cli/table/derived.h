/*
 * derived.h - functions that the compiler wrote: #[derive(...)] of Rust.
 *
 * Their source has the line of a word in an attribute. Nobody can make them faster where they
 * stand: their cost belongs to the lines that call them.
 */
#ifndef TABLE_DERIVED_H
#define TABLE_DERIVED_H

#include "cprof.h"
#include "source/source_file.h"

#include <stdbool.h>

/* Takes derived functions out of `own`, a flag for each function of the profile. Nothing is known
 * of those without source. */
void derived_leave_out(bool *own, const struct cprof_profile *profile,
                       struct source_finder *finder);

#endif
