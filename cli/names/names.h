/*
 * names.h - the names of all functions of a profile: short, in full, or as the linker has them.
 */
#ifndef NAMES_NAMES_H
#define NAMES_NAMES_H

#include "cprof.h"

enum name_style {
    NAME_SHORT, /* Rust as rust_name.h says; C++ as demangle_brief, and cplusplus_name.h */
    NAME_FULL,  /* demangled */
    NAME_RAW    /* the linkage name */
};

/*
 * A profile whose functions, demangled or not, have their names in a style; `mangled` keeps the
 * linkage name where it differs. Instances of a generic function that would have one name get their
 * type arguments, as far as these are known: "Vec<T>::push::<u8>". Where short names of one
 * place in one object are still equal, they are full ones, but for long ones of C++.
 *
 * `profile` is taken over: it must be its caller's alone, and is gone. NULL with `error` filled
 * where memory ran out.
 */
struct cprof_profile *names_apply(struct cprof_profile *profile, enum name_style style,
                                  struct cprof_error *error);

/* The short names of all functions of a profile, whatever names it has: n_functions of them, which
 * the caller frees, and the array. */
char **names_short(const struct cprof_profile *profile);
/* That of one function, without what tells it from others. The caller frees it. */
char *names_short_one(const struct cprof_function *function);

#endif
