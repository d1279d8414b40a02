/*
 * show_check.h - whether a table can be as its settings say.
 */
#ifndef VIEWS_SHOW_CHECK_H
#define VIEWS_SHOW_CHECK_H

#include "options/show_options.h"

/* Settings that exclude each other. Returns 0 or STATUS_USAGE, having said which. */
int show_check_contradictions(const struct show_settings *settings);

/* Where --view asks for what the profile has not. Returns 0 or STATUS_ERROR. */
int show_check_view(const struct cprof_profile *profile, const struct show_settings *settings);

#endif
