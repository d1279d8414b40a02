/*
 * cp_tag_row.h - a row of tags: which way of a set has a line.
 *
 * A row has 32-bit tags, padded to whole vectors. A search compares four vectors at a time. Nothing
 * depends on the place of the tag in them, so there is neither a loop nor a branch.
 */
#ifndef CP_TAG_ROW_H
#define CP_TAG_ROW_H

#include "cp_arch.h"
#include "cp_tool.h"

#define TAG_VECTOR 4           /* tags in a vector */
#define NO_TAG     0xFFFFFFFFu /* in empty ways, and in padding */
#define MAX_WAYS   112         /* of a set with a row: ranks (cp_ll_set.h) are signed bytes */

static inline UInt cp_tag_row_vectors(UInt ways)
{
    return (ways + TAG_VECTOR - 1) / TAG_VECTOR;
}

static inline Vector cp_tag_row_compare(const UInt *p, Vector tag)
{
    return cp_v_equal_words(cp_v_load(p), tag);
}

/* Bit i is set if way i, of up to four vectors, has the tag. */
static inline __attribute__((always_inline)) UInt cp_tag_row_find(const UInt *row, Vector t, UInt n)
{
    Vector zero = cp_v_zero();
    Vector low = cp_tag_row_compare(row, t), high = zero;

    if (n == 1)
        return cp_v_mask_words(low);
    low = cp_v_pack_words(low, cp_tag_row_compare(row + TAG_VECTOR, t));
    if (n > 2)
        high = cp_v_pack_words(cp_tag_row_compare(row + 2 * TAG_VECTOR, t),
                               n > 3 ? cp_tag_row_compare(row + 3 * TAG_VECTOR, t) : zero);
    return cp_v_mask_bytes(cp_v_pack_halves(low, high));
}

/* The way among n vectors that has this tag, or `none`. */
static inline __attribute__((always_inline)) UInt cp_tag_row_way(const UInt *row, UInt tag, UInt n,
                                                                 UInt none)
{
    Vector t = cp_v_words((Int)tag);

    for (UInt first = 0; first < n; first += 4) {
        UInt found = cp_tag_row_find(row + first * TAG_VECTOR, t, n - first < 4 ? n - first : 4);
        if (LIKELY(found))
            return first * TAG_VECTOR + (UInt)__builtin_ctz(found);
    }
    return none;
}

#endif
