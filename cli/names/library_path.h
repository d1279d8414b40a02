/*
 * library_path.h - C and C++ of libraries that is compiled into a program: headers of the system,
 * and sources that a project keeps in a folder for those of others.
 *
 * A file is a library's
 *   1. below a folder of the system for headers: /usr/include, /usr/local/include,
 *      /opt/NAME/include, a compiler's own;
 *   2. below third_party, vendor, _deps, single_include and the like, unless main() is there, too;
 *   3. below a folder "include" whose parent does not hold main().
 *
 * Where nobody knows main()'s file, only the first rule holds.
 */
#ifndef NAMES_LIBRARY_PATH_H
#define NAMES_LIBRARY_PATH_H

#include "names/crate_path.h"

#include <stdbool.h>

/* True where `path`, which is normalised, is such a file; the library's name is a part of it:
 * "nlohmann" of "/usr/include/nlohmann/json.hpp". `main_file` may be NULL. */
bool library_of_path(const char *path, const char *main_file, struct slice *name);

#endif
