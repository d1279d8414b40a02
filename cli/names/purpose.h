/*
 * purpose.h - what small functions of the standard libraries do together: hashing, formatting.
 *
 * A function has a purpose of its own by the module that its file is of, or by its name; the table
 * is in purpose.c. Below it on a call path, functions of the same library, or of a lower one, serve
 * its purpose: rotate_left that SipHash calls. A purpose of higher rank is kept: bytes that are
 * copied for formatting are formatting, memory that is allocated for it is not.
 *
 * The kernel's functions, and those of other crates but for allocators, serve no purpose.
 */
#ifndef NAMES_PURPOSE_H
#define NAMES_PURPOSE_H

#include "names/crates.h"

enum purpose {
    PURPOSE_NONE,
    PURPOSE_ITERATORS,
    PURPOSE_COMPARING,
    PURPOSE_COPYING,
    PURPOSE_UTF8,
    PURPOSE_HASHING,
    PURPOSE_HASH_TABLES,
    PURPOSE_BTREES,
    PURPOSE_FORMATTING,
    PURPOSE_PRINTF,
    PURPOSE_PARSING,
    PURPOSE_SORTING,
    PURPOSE_OUTPUT,
    PURPOSE_FILLING,
    PURPOSE_ALLOCATION,
    PURPOSE_LINKING,
    PURPOSES
};

/* "hashing (SipHash)"; "" of PURPOSE_NONE. */
const char *purpose_name(enum purpose purpose);
/* The purpose of a function by itself. `file` is NULL where it is not known. */
enum purpose purpose_of(const char *name, const char *file, const struct crate *crate);

struct purposes {
    const struct crates *crates;
    unsigned char *of_function; /* enum purpose of each function by itself */
};

void purposes_load(struct purposes *purposes, const struct cprof_profile *profile,
                   const struct crates *crates);
void purposes_free(struct purposes *purposes);
/* The purpose that `function` serves below `caller` (CPROF_NONE: nothing is known of it), which
 * serves `above`. */
enum purpose purpose_below(const struct purposes *purposes, uint32_t function, uint32_t caller,
                           enum purpose above);

#endif
