/*
 * libraries.h - where a program built by cargo finds its dynamic libraries.
 */
#ifndef RUN_LIBRARIES_H
#define RUN_LIBRARIES_H

#include "base/options.h"

/*
 * "LD_LIBRARY_PATH=...", with the folders that `cargo run` adds, where the program needs a library
 * of one of them; else NULL, and its environment stays the user's own. `linked` are folders that
 * build scripts named, `target` the --target of the build or NULL. The caller frees it.
 */
char *libraries_setting(const char *executable, const struct string_list *linked,
                        const char *target);

#endif
