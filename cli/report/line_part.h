/*
 * line_part.h - the table of the use of lines, in what show.h writes.
 */
#ifndef REPORT_LINE_PART_H
#define REPORT_LINE_PART_H

#include "render/text/table.h"
#include "report/show.h"

/* `own`: the functions of own code, one bool each; NULL: there are none. */
void line_part_write(const struct cprof_profile *profile, const bool *own,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *table, const struct show_screen *screen, FILE *out);
void line_part_markdown(const struct cprof_profile *profile, const bool *own,
                        const struct show_settings *settings, const char *root, FILE *out);

#endif
