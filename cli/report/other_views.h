/*
 * other_views.h - what else the last run has, where one table of memory stands alone.
 */
#ifndef REPORT_OTHER_VIEWS_H
#define REPORT_OTHER_VIEWS_H

#include "report/show.h"

/* Writes the commands that show it; `part` is the table that was shown. */
void other_views_write(const struct cprof_profile *profile, enum show_parts part,
                       const struct show_screen *screen, FILE *out);

#endif
