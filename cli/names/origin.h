/*
 * origin.h - the four kinds of code, by which functions are coloured everywhere: own code is
 * warm and bright, dependencies are blue, the standard library is a greyish teal, all else grey.
 *
 * A kind has several shades. A crate's shade depends on its name alone, so it is the same in each
 * picture.
 */
#ifndef NAMES_ORIGIN_H
#define NAMES_ORIGIN_H

#include "names/crates.h"

enum origin {
    ORIGIN_OWN, /* derived code, too */
    ORIGIN_DEPENDENCY,
    ORIGIN_STD,
    ORIGIN_SYSTEM, /* libc, other objects, start-up */
    ORIGINS
};
enum { ORIGIN_SHADES = 3 };

enum origin origin_of(enum owner owner);
/* A number below ORIGIN_SHADES. */
unsigned origin_shade(const struct crate *crate);
/* "your code", "dependencies", "standard library", "libc and others". */
const char *origin_title(enum origin kind);
/* The kind's letter in pages and pictures, one of "odsx". Classes of shades, "o0" to "x2", set the
 * colour of an area; of a name, the attribute data-k around it does. */
char origin_letter(enum origin kind);

#endif
