/*
 * line_part.h - the table of the use of lines, in what show.h writes.
 */
#ifndef REPORT_LINE_PART_H
#define REPORT_LINE_PART_H

#include "render/text/titled_grid.h"
#include "report/show.h"

/* Fills the table, which the caller frees. `own`: the functions of own code, one bool each; NULL:
 * there are none. */
void line_part_fill(const struct cprof_profile *profile, const bool *own,
                    const struct show_settings *settings, const char *root,
                    struct titled_grid *filled);

#endif
