/*
 * names.h - the names of all functions of a profile: short, in full, or as the linker has them.
 */
#ifndef NAMES_NAMES_H
#define NAMES_NAMES_H

#include "cprof_internal.h"

#include <stdbool.h>
#include <stddef.h>

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
/* The short name of one function, without what tells it from others. The caller frees it. */
char *names_short_one(const struct cprof_function *function);

/*--- Equal names ---*/

/*
 * Numbers for the names of functions. Two functions of any profiles have one number
 * where normalise_name() makes one key of their names; paths are compared by these numbers.
 */

/* One of zeros is empty. */
struct name_ids {
    struct map map;
    size_t n, room;
    char **names;
};

/* The numbers of a profile's functions, from 0, for the caller to free: n_functions of them. */
uint32_t *name_ids_of(struct name_ids *ids, const struct cprof_profile *profile);
/* For each function the first one that has its number, as tree_load_same() takes it. The caller
 * frees it. */
uint32_t *name_ids_first(const uint32_t *numbers, uint32_t n_functions);
void name_ids_free(struct name_ids *ids);

/*--- Full names ---*/

/*
 * The name of a function in full, beside its linkage name, where a profile has either
 * or both of them. Profiles whose names are short keep the linkage name: demangle() makes the full
 * one of that for the few functions that are asked for it.
 */

struct full_name {
    const char *linkage; /* the profile's name where it has no other */
    const char *text;    /* may be megabytes long */
    bool demangled;      /* `text` was made of `linkage` here */
};

/* The names of a function of a profile in which no name is short. */
struct full_name full_name_of(const struct cprof_function *f);
/* The names of a function whose name may be short: made of its linkage name, where it has one. */
struct full_name full_name_anew(const struct cprof_function *f);
void full_name_free(struct full_name *name);

/*--- Things that look the same ---*/

/*
 * Functions, rows and lines of a table that look the same are found so; each of them is told apart
 * by something of its own: more of its name, its hash, its place.
 */

/* The way to find things that look the same among things with numbers from 0. `owner` is the
 * caller's. */
struct repeated {
    /* A text that equal ones have in common: where most have a text of their own, few are put in
     * order. NULL: all are. */
    const char *(*text)(const void *owner, size_t i);
    /* Orders two by all that is seen of them. 0: they look the same. */
    int (*compare)(const void *owner, size_t a, size_t b);
    /* Orders two that look the same; NULL: by number. */
    int (*order)(const void *owner, size_t a, size_t b);
    /* Takes `n` >= 2 that look the same, and may change how they look. */
    void (*use)(void *owner, const size_t *items, size_t n);
};

/* Finds them among `n`, and hands over one group after the other. */
void repeated_each(const struct repeated *how, void *owner, size_t n);

#endif
