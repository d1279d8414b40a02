/*
 * data_part.h - the table of which data misses, or of the use of lines where data are not told
 * apart, in what show.h writes.
 */
#ifndef REPORT_DATA_PART_H
#define REPORT_DATA_PART_H

#include "render/text/table.h"
#include "report/show.h"

/* `own` says of each function whether it is own code. */
void data_part_write(const struct cprof_profile *profile, const bool *own,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *table, const struct show_screen *screen, FILE *out);
void data_part_markdown(const struct cprof_profile *profile, const bool *own,
                        const struct show_settings *settings, const char *root, FILE *out);

#endif
