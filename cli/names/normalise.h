/*
 * normalise.h - names that two builds of one program have in common. A comparison matches functions
 * and files by them.
 *
 * A function has two keys. The first drops what a compiler makes up anew for each build or part of
 * a function, and nothing that a programmer wrote: two builds of one source in two folders have
 * equal keys, in either mangling. The loose key is for functions that find no partner by the first:
 * they come from another mangling, another tool or another release of the compiler.
 */
#ifndef NAMES_NORMALISE_H
#define NAMES_NORMALISE_H

#include "cprof.h"

#include <stdbool.h>

/*
 * The first key. `mangled` is the linkage name, or NULL; `name` what it is called otherwise.
 * Without Rust's hashes and crate disambiguators, `.llvm.<N>`, `.cold`, `.constprop.<N>`,
 * `.part.<N>`, `.isra.<N>` and the like; names that are half demangled ("_$LT$T$GT$::f") are
 * demangled whole. A method of a type with a path is "a::P::f", as the older mangling has it, where
 * the newer one has "<a::P>::f": so one pattern finds it in both. Names that are addresses, and
 * empty ones, are "???". The caller frees it.
 */
char *normalise_name(const char *name, const char *mangled);

/*
 * The loose key of a first one: without generic arguments and what is in brackets, closures and
 * shims without their numbers, `<P>::f` and `m::<impl P>::f` as `P::f`, `m::<impl T for P>::f` as
 * `<P as T>::f`, and without the address behind an object's name. The caller frees it.
 */
char *loose_key(const char *key);

/*
 * Cuts callgrind's mark of recursion (`f'2`) off a name, in place, and says whether there was one.
 * Only for profiles that callgrind wrote: elsewhere the quote is part of a name.
 */
bool cut_recursion_mark(char *name);

/*
 * The path of a file that two builds have in common, location_short(), or NULL where it is no file
 * (rustc names units of code, `.../@/my_app.1c3a-cgu.00`). The caller frees it.
 */
char *normalise_file(const char *path, const char *root);

/* The folder of the package that `program` was built in: the part of its path before "/target/".
 * NULL: it has none. The caller frees it. */
char *package_root(const char *program);

/* The folder of the package that a profile's program was built in, or else the first of its objects
 * that has one. The caller frees it. */
char *profile_root(const struct cprof_profile *profile);

#endif
