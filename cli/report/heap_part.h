/*
 * heap_part.h - the heap on the first screen, and what to do where nothing was seen of it.
 */
#ifndef REPORT_HEAP_PART_H
#define REPORT_HEAP_PART_H

#include "names/crates.h"
#include "render/text/table.h"
#include "render/text/titled_grid.h"
#include "report/show.h"

/* Fills the table of who allocates, by functions of which `own` says that they are own code; the
 * caller frees it. */
void heap_part_fill(const struct cprof_profile *profile, const struct crates *crates,
                    const bool *own, const struct show_settings *settings, const char *root,
                    struct titled_grid *filled);

/* Writes it, and where that is all, the commands that look further; as Markdown where `screen` is
 * NULL. */
void heap_part_write(const struct cprof_profile *profile, const struct crates *crates,
                     const bool *own, const struct show_settings *settings,
                     const struct show_context *context, const struct table *table,
                     const struct show_screen *screen, FILE *out);

/* Says what the counts of the heap lack. */
void heap_notes(const struct cprof_profile *profile);

#endif
