/*
 * cp_tag.h - tags: how a set knows its lines.
 *
 * A tag is a line's number without the bits that select the set, in 31 bits. With the usual
 * geometries these are enough for all addresses that Valgrind gives to a program. Larger numbers
 * (wild pointers, caches of one set) get tags of their own, so tags are always exact.
 */
#ifndef CP_TAG_H
#define CP_TAG_H

#include "cp_tool.h"

#define WILD_TAG 0x80000000u /* tags from here on stand for numbers that do not fit */

/* The tag of a number that does not fit; always the same for one number. */
UInt cp_tag_wild(ULong number);

static inline UInt cp_tag(ULong number)
{
    return LIKELY(number < WILD_TAG) ? (UInt)number : cp_tag_wild(number);
}

#endif
