/*
 * data_part.h - the table of which data misses, or of the use of lines where data are not told
 * apart, in what show.h writes.
 */
#ifndef REPORT_DATA_PART_H
#define REPORT_DATA_PART_H

#include "render/text/table.h"
#include "render/text/titled_grid.h"
#include "report/show.h"

/* Fills the table, which the caller frees; `own` says of each function whether it is own code. */
void data_part_fill(const struct cprof_profile *profile, const bool *own,
                    const struct show_settings *settings, const char *root,
                    struct titled_grid *filled);

/* Writes it, or the type that --layout names, and where that is all, the commands that look
 * further; as Markdown where `screen` is NULL. */
void data_part_write(const struct cprof_profile *profile, const bool *own,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *table, const struct show_screen *screen, FILE *out);

#endif
