/*
 * same_program.h - are two profiles of the same program? As far as its name tells: two builds of it
 * lie in different folders, and cargo gives those of tests another hash each time.
 */
#ifndef DIFF_SAME_PROGRAM_H
#define DIFF_SAME_PROGRAM_H

#include "cprof.h"

#include <stdbool.h>

/* The last name of the program's path, without cargo's hash, for the caller to free; NULL: the
 * profile does not know. */
char *program_name(const struct cprof_profile *profile);
/* False where both are known, and are not the same. */
bool same_program(const struct cprof_profile *a, const struct cprof_profile *b);
/* Says it where they are not: their differences are those of two programs. */
void same_program_note(const struct cprof_profile *old, const struct cprof_profile *new);

/*--- Setups ---*/

/* Two profiles are of one job where arguments, input, build and caches are equal. */

/* "arguments 1 -> 2; features as usual -> fast": where two runs differ, in one line, for the caller
 * to free; NULL: nowhere that both profiles know of. */
char *setup_differences(const struct cprof_profile *old, const struct cprof_profile *new);
/* "build profile dev -> release; flags of rustc none -> -Copt-level=2": where two builds differ, as
 * setup_differences(). */
char *setup_build_differences(const struct cprof_profile *old, const struct cprof_profile *new);
/* Warns of setup_differences(); returns them, too. */
char *setup_warn(const struct cprof_profile *old, const struct cprof_profile *new);

#endif
