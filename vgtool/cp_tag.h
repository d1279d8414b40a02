/*
 * cp_tag.h - tags: how a line is known within its set.
 *
 * The tag is the line's number without the bits that select the set. It is kept in 31 bits, which
 * is all of it for any address that Valgrind gives to a program, with the usual geometries; what is
 * left above that (wild pointers, caches of one set) is mapped to numbers of its own, so that tags
 * are exact always.
 */
#ifndef CP_TAG_H
#define CP_TAG_H

#include "cp_tool.h"

#define WILD_TAG 0x80000000u /* tags from here on stand for numbers that do not fit */

/* The tag of a number that does not fit; the same for the same number. */
UInt cp_tag_wild(ULong number);

static inline UInt cp_tag(ULong number)
{
    return LIKELY(number < WILD_TAG) ? (UInt)number : cp_tag_wild(number);
}

#endif
