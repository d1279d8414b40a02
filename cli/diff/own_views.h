/*
 * own_views.h - two profiles with as much as both know of what other code cost for whom.
 */
#ifndef DIFF_OWN_VIEWS_H
#define DIFF_OWN_VIEWS_H

#include "cprof.h"
#include "diff/diff.h"

#include <stdbool.h>

/* Makes the views, which borrow all that the profiles have: with call paths where both have them
 * (true); else with what was inlined where; else with own costs alone. */
bool own_common_views(const struct cprof_profile *const profiles[DIFF_SIDES],
                      struct cprof_profile views[DIFF_SIDES]);

#endif
