/*
 * derived.h - functions that the compiler wrote: #[derive(...)] of Rust.
 *
 * Their source has the line of a word in an attribute. Nobody can make them faster where they
 * stand: their cost belongs to the lines that call them.
 */
#ifndef TABLE_DERIVED_H
#define TABLE_DERIVED_H

#include "cprof.h"
#include "names/crates.h"
#include "source/source_file.h"

#include <stdbool.h>

/* The functions that are own code and that somebody wrote, a flag for each function of the profile,
 * for the caller to free: own_functions() without derived ones. Those without source are taken for
 * written. */
bool *written_functions(const struct cprof_profile *profile, const struct crates *crates,
                        struct source_finder *finder);

#endif
