/*
 * other_views.h - commands that look further, where one table of memory of the last run stands
 * alone.
 */
#ifndef VIEWS_OTHER_VIEWS_H
#define VIEWS_OTHER_VIEWS_H

#include "views/view_form.h"

/* Writes the commands; `view` is the table that was shown. */
void other_views_write(const struct cprof_profile *profile, enum view_id view,
                       const struct next_views *next, const struct show_screen *screen, FILE *out);

#endif
