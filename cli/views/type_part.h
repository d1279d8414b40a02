/*
 * type_part.h - --layout: one type of data as it lies in memory, in what show.h writes.
 */
#ifndef VIEWS_TYPE_PART_H
#define VIEWS_TYPE_PART_H

#include "views/memory_tables.h"

/* --layout shows data: --view need not say so. */
void type_part_settle(struct show_settings *settings);

/* Finds the type that --layout names. Returns 0 with its index, or STATUS_ERROR after having said
 * which there are. */
int type_part_find(const struct cprof_profile *profile, const char *name, uint32_t *type);

/* Writes it; as Markdown where `screen` is NULL. */
void type_part_write(const struct memory_tables *tables, const struct show_screen *screen,
                     FILE *out);

/* True where more misses are in blocks and variables whose fields are not known than in others. A
 * standard library may have types where the program has none. */
bool type_part_is_missing(const struct cprof_profile *profile);

/* Why that may be, and what to do. */
const char *type_part_how(const struct cprof_profile *profile);

#endif
