/*
 * names.h - how functions are called: in short, in full, or as the linker calls them.
 */
#ifndef NAMES_NAMES_H
#define NAMES_NAMES_H

#include "cprof.h"

enum name_style {
    NAME_SHORT, /* Rust as rust_name.h says; C++ as demangle_brief */
    NAME_FULL,  /* demangled */
    NAME_RAW    /* the linkage name */
};

/*
 * Gives all functions of a profile, demangled or not, their names in a style; `mangled` keeps the
 * linkage name where it differs. Instances of a generic function that would have one name get their
 * type arguments, as far as these are known: "Vec<T>::push::<u8>". Where short names of one
 * place in one object are still equal, they are full ones.
 *
 * The profile is changed in place: nobody else may have its names yet. Returns 0, or -1 where
 * memory ran out, with some names as they were.
 */
int names_apply(struct cprof_profile *profile, enum name_style style);

#endif
