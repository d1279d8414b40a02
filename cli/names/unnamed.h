/*
 * unnamed.h - names for functions that have none: "libfoo.so+0x11a4" by the place in their object
 * where they begin, "???" where that is not known. Other tools call them by their address,
 * "0x4011a4".
 */
#ifndef NAMES_UNNAMED_H
#define NAMES_UNNAMED_H

#include "cprof.h"

#include <stdbool.h>

#define UNNAMED "???"

/* The name for the function at `address` of the object at `path`. The caller frees it. */
char *unnamed_name(const char *path, uint64_t address);
/* Tells whether function `f` of the profile has such a name, or none. */
bool is_unnamed(const struct cprof_profile *profile, const struct cprof_function *f);

#endif
