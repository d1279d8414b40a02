/*
 * curve_part.h - miss curves, in what show.h writes.
 */
#ifndef REPORT_CURVE_PART_H
#define REPORT_CURVE_PART_H

#include "render/text/table.h"
#include "report/show.h"

#include <stdio.h>

/* `own` says which functions are own code. */
void curve_part_write(const struct cprof_profile *profile, const bool *own,
                      const struct show_settings *settings, const struct table *table,
                      const struct show_screen *screen, FILE *out);
void curve_part_markdown(const struct cprof_profile *profile, const bool *own,
                         const struct show_settings *settings, const char *root, FILE *out);

#endif
