/*
 * object_name.h - names of objects (the program and its libraries) by their paths.
 */
#ifndef NAMES_OBJECT_NAME_H
#define NAMES_OBJECT_NAME_H

#include "cprof.h"
#include "names/crate_path.h"

#include <stdbool.h>

/* The last part of an object's path, "libfoo.so"; the whole of "[anonymous]". */
const char *object_name(const char *path);
/* Tells whether it is the kernel or a module of it, as perf calls them: "[kernel.kallsyms]",
 * "[ext4]", a path of vmlinux. */
bool object_is_kernel(const char *path);
/* Tells whether the object at `path` is the program, which may have been named without its folder.
 */
bool is_program(const struct cprof_profile *profile, const char *path);

/*--- Functions without a name ---*/

/*
 * Names for functions that have none: "libfoo.so+0x11a4" by the place in their object
 * where they begin, "???" where that is not known. Other tools call them by their address,
 * "0x4011a4".
 */

#define UNNAMED "???"

/* The name for the function at `address` of the object at `path`. The caller frees it. */
char *unnamed_name(const char *path, uint64_t address);
/* Tells whether function `f` of the profile has such a name, or none. */
bool is_unnamed(const struct cprof_profile *profile, const struct cprof_function *f);

/*--- Names of libc ---*/

/*
 * The functions of libc by the names that programs call them by.
 */

/*
 * The name without what tells the implementation for a processor, or for any: "memcmp" of
 * "__memcmp_avx2_movbe", "strspn" of "__strspn_generic"; any other name as it is. The caller frees
 * it.
 */
char *libc_plain_name(const char *name);

/*--- Sources of libraries ---*/

/*
 * C and C++ of libraries is compiled into a program: headers of the system, and sources that a
 * project keeps in a folder for those of others. A file is a library's
 *   1. below a folder of the system for headers: /usr/include, /usr/local/include,
 *      /opt/NAME/include, a compiler's own;
 *   2. below third_party, vendor, _deps, single_include and the like, unless main() is there, too;
 *   3. below a folder "include" whose parent does not hold main().
 *
 * Where nobody knows main()'s file, only the first rule holds.
 */

/* True where `path`, which is normalised, is such a file; the library's name is a part of it:
 * "nlohmann" of "/usr/include/nlohmann/json.hpp". `main_file` may be NULL. */
bool library_of_path(const char *path, const char *main_file, struct slice *name);

#endif
