/*
 * show_layout.h - --layout: one type of data as it lies in memory.
 */
#ifndef VIEWS_SHOW_LAYOUT_H
#define VIEWS_SHOW_LAYOUT_H

#include "cprof.h"

#include <stdbool.h>
#include <stdint.h>

/* Finds the type that --layout names. Returns 0 with its index, or STATUS_ERROR after having said
 * which there are. */
int show_layout_find(const struct cprof_profile *profile, const char *name, uint32_t *type);

/* True where more misses are in blocks and variables whose fields are not known than in others. A
 * standard library may have types where the program has none. */
bool show_layout_is_missing(const struct cprof_profile *profile);

/* Why that may be, and what to do. */
const char *show_layout_how(const struct cprof_profile *profile);

#endif
