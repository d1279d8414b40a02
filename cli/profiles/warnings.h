/*
 * warnings.h - what the library found odd in a profile.
 */
#ifndef PROFILES_WARNINGS_H
#define PROFILES_WARNINGS_H

#include "cprof.h"

#include <stdbool.h>

/* Says what the library found odd in a profile, on standard error. 0; STATUS_ERROR where that is an
 * error: with `strict`. */
int profile_warnings(const struct cprof_profile *profile, bool strict);
/* As profile_warnings(), for what shows no call paths: the run has said which of its stacks were
 * cut off. */
int profile_warnings_again(const struct cprof_profile *profile, bool strict);

#endif
