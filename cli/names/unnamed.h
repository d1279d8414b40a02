/*
 * unnamed.h - what functions without a name are called: "libfoo.so+0x11a4" after where they begin
 * in their object, "???" where not even that is known.
 */
#ifndef NAMES_UNNAMED_H
#define NAMES_UNNAMED_H

#include "cprof.h"

#include <stdbool.h>

#define UNNAMED "???"

/* What the function at `address` of the object at `path` is called. The caller frees it. */
char *unnamed_name(const char *path, uint64_t address);
/* Whether function `f` of the profile has such a name, or none. */
bool is_unnamed(const struct cprof_profile *profile, const struct cprof_function *f);
/* The last part of an object's path, "libfoo.so"; the whole of "[anonymous]". */
const char *object_name(const char *path);

/* Whether the object at `path` is the program, which may have been named without its folder. */
bool is_program(const struct cprof_profile *profile, const char *path);

#endif
