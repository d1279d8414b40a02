/*
 * heap_part.h - the heap on the first screen, and what to do where nothing was seen of it.
 */
#ifndef REPORT_HEAP_PART_H
#define REPORT_HEAP_PART_H

#include "names/crates.h"
#include "render/text/table.h"
#include "report/show.h"

#include <stdio.h>

/* Writes who allocates, by functions of which `own` says that they are own code; where that is all,
 * then the commands that look further. */
void heap_part_write(const struct cprof_profile *profile, const struct crates *crates,
                     const bool *own, const struct show_settings *settings,
                     const struct show_context *context, const struct table *table,
                     const struct show_screen *screen, FILE *out);
void heap_part_markdown(const struct cprof_profile *profile, const struct crates *crates,
                        const bool *own, const struct show_settings *settings, const char *root,
                        FILE *out);

/* Says what the counts of the heap lack. */
void heap_notes(const struct cprof_profile *profile);

#endif
