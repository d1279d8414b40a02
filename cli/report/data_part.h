/*
 * data_part.h - the table of which data misses, in what show.h writes.
 */
#ifndef REPORT_DATA_PART_H
#define REPORT_DATA_PART_H

#include "names/crates.h"
#include "render/text/table.h"
#include "report/show.h"

void data_part_write(const struct cprof_profile *profile, const struct crates *crates,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *table, const struct show_screen *screen, FILE *out);
void data_part_markdown(const struct cprof_profile *profile, const struct crates *crates,
                        const struct show_settings *settings, const char *root, FILE *out);

#endif
