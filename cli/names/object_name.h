/*
 * object_name.h - names of objects (the program and its libraries) by their paths.
 */
#ifndef NAMES_OBJECT_NAME_H
#define NAMES_OBJECT_NAME_H

#include "cprof.h"

#include <stdbool.h>

/* The last part of an object's path, "libfoo.so"; the whole of "[anonymous]". */
const char *object_name(const char *path);
/* Tells whether it is the kernel or a module of it, as perf calls them: "[kernel.kallsyms]",
 * "[ext4]", a path of vmlinux. */
bool object_is_kernel(const char *path);
/* Tells whether the object at `path` is the program, which may have been named without its folder.
 */
bool is_program(const struct cprof_profile *profile, const char *path);

#endif
