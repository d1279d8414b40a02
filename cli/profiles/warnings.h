/*
 * warnings.h - what the library found odd in a profile, and what its call paths do not show.
 */
#ifndef PROFILES_WARNINGS_H
#define PROFILES_WARNINGS_H

#include "cprof.h"
#include "table/columns.h"

#include <stdbool.h>

/* Says what the library found odd in a profile, on standard error. 0; STATUS_ERROR where that is an
 * error: with `strict`. */
int profile_warnings(const struct cprof_profile *profile, bool strict);
/* As profile_warnings(), for what shows no call paths: the run has said which of its stacks were
 * cut off. */
int profile_warnings_again(const struct cprof_profile *profile, bool strict);

/* Says which functions' recursion is folded in the call paths of a profile that was counted, which
 * are given to other tools, where it costs enough of `measure` to be seen. Samples have their
 * stacks as they were. */
void recursion_note(const struct cprof_profile *profile, const struct column *measure);

#endif
