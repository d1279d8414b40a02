/*
 * full_name.h - the name of a function in full, beside its linkage name, where a profile has either
 * or both of them. Profiles whose names are short keep the linkage name: demangle() makes the full
 * one of that for the few functions that are asked for it.
 */
#ifndef NAMES_FULL_NAME_H
#define NAMES_FULL_NAME_H

#include "cprof.h"

#include <stdbool.h>

struct full_name {
    const char *linkage; /* the profile's name where it has no other */
    const char *text;    /* may be megabytes long */
    bool demangled;      /* `text` was made of `linkage` here */
};

/* The names of a function of a profile in which no name is short. */
struct full_name full_name_of(const struct cprof_function *f);
/* Those of a function whose name may be short: made of its linkage name, where it has one. */
struct full_name full_name_anew(const struct cprof_function *f);
void full_name_free(struct full_name *name);

#endif
