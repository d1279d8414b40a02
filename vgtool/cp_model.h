/*
 * cp_model.h - one simulated cache: what the first level (cp_l1.c) and the last one (cp_ll.c)
 * share.
 *
 * A set is a row of vectors (cp_set.h). Caches of more ways than these can have,
 * mostly fully associative ones, are lists in order of use.
 */
#ifndef CP_MODEL_H
#define CP_MODEL_H

#include "cp_tool.h"

/*--- Tags ---*/

/*
 * Tags: how a set knows its lines.
 *
 * A tag is a line's number without the bits that select the set, in 31 bits. With the usual
 * geometries these are enough for all addresses that Valgrind gives to a program. Larger numbers
 * (wild pointers, caches of one set) get tags of their own, so tags are always exact.
 */

#define WILD_TAG 0x80000000u /* tags from here on stand for numbers that do not fit */

/* The tag of a number that does not fit; always the same for one number. */
UInt cp_tag_wild(ULong number);

static inline UInt cp_tag(ULong number)
{
    return LIKELY(number < WILD_TAG) ? (UInt)number : cp_tag_wild(number);
}

/* A set is a row of tags, padded to whole vectors. */
#define TAG_VECTOR 4           /* tags in a vector */
#define NO_TAG     0xFFFFFFFFu /* in empty ways of the first level, and in padding */
#define MAX_WAYS   112         /* of a set with a row: ranks are signed bytes */

static inline UInt cp_tag_row_vectors(UInt ways)
{
    return (ways + TAG_VECTOR - 1) / TAG_VECTOR;
}

/*--- Models ---*/

#define MAX_SHORT 8 /* sets of up to this many vectors of tags have code of their own */

/* Expands X(n) for each number of vectors that has code of its own. */
#define FOR_EACH_SHORT(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

typedef struct Cache {
    UInt *sets;
    UInt set_size; /* in words */
    UInt line_bits, set_bits;
    UInt set_mask;
    UInt last;    /* ways - 1 */
    UInt vectors; /* of tags; 0: a list */
    Bool (*refer)(struct Cache *c,
                  UWord line); /* refers to the line with this number; True on a miss */

    /* The first level only: the way in which a line was last, by the low bits of its number. */
    UChar *hints; /* NULL: no times */
    UWord hint_mask;
    Int clock;
} Cache;

static inline UInt cp_model_tag(const Cache *c, UWord line)
{
    return cp_tag(line >> c->set_bits);
}

static inline UInt *cp_model_set(const Cache *c, UWord line)
{
    return c->sets + (line & c->set_mask) * (UWord)c->set_size;
}

/* Sets the cache's shape, all but its sets. `name` is its option's. Ends the program if there is no
 * such cache. */
void cp_model_shape(Cache *c, const Geometry *g, const HChar *name);

/* The bytes that so many words for each set take. */
SizeT cp_model_size(const Cache *c, UInt words);

/* Memory for so many words for each set, of zeroes, aligned to the host's lines. Ends the tool
 * where there is none. */
UInt *cp_model_memory(const Cache *c, UInt words);

/* Empties all sets of a cache without times. */
void cp_model_empty(Cache *c);

/* Refers to a cache of any number of ways: a list, or vectors. */
Bool cp_model_refer_list(Cache *c, UWord line);
Bool cp_model_refer_vectors(Cache *c, UWord line);

/*--- Shapes ---*/

/* Parses "SIZE,WAYS,LINE" and checks it. Returns NULL, or the reason why it is wrong. */
const HChar *cp_geometry_parse(const HChar *text, Geometry *geometry);

/* The host's caches, as cachegrind derives them; the processor's usual ones if the host does not
 * describe them. */
void cp_geometry_host(Geometry *i1, Geometry *d1, Geometry *ll);

#endif
