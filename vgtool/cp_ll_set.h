/*
 * cp_ll_set.h - one set of the last-level cache. A miss replaces the least recently used line.
 * First-level caches of many ways have such sets, too.
 *
 * A set is a row of tags (cp_tag_row.h) and behind it a row of bytes, the ranks, which give the
 * order in which the ways were last used: rank 0 is the most recently used, rank ways - 1 is
 * replaced. A reference finds its tag, or replaces a way, and then adds one to all ranks below that
 * of the way, sixteen at a time. It branches only for a miss and for the way used last.
 */
#ifndef CP_LL_SET_H
#define CP_LL_SET_H

#include "cp_tag_row.h"

#define RANK_VECTOR 16  /* ranks in a vector */
#define NO_RANK     127 /* in padding: never searched, never raised */

/* The size in words of a set with rows of n vectors of tags. */
static inline UInt cp_ll_set_size(UInt n)
{
    return n * TAG_VECTOR + (n * TAG_VECTOR + RANK_VECTOR - 1) / RANK_VECTOR * (RANK_VECTOR / 4);
}

/* The way that has the rank; there is one. */
static inline __attribute__((always_inline)) UInt cp_ll_set_ranked(const UChar *ranks, UInt rank,
                                                                   UInt n)
{
    Vector r = cp_v_bytes((char)rank);

    for (UInt i = 0; i < n; i += RANK_VECTOR) {
        UInt found = cp_v_mask_bytes(cp_v_equal_bytes(cp_v_load(ranks + i), r));
        if (found)
            return i + (UInt)__builtin_ctz(found);
    }
    return 0;
}

/*
 * Refers to the line with this tag. `set` is aligned to 16 bytes; n: vectors of tags, best a
 * constant; last: ways - 1. True on a miss.
 */
static inline __attribute__((always_inline)) Bool cp_ll_set_refer(UInt *set, UInt tag, UInt last,
                                                                  UInt n)
{
    UChar *ranks = (UChar *)(set + n * TAG_VECTOR);
    UInt way = cp_tag_row_way(set, tag, n, NO_TAG), rank = last;
    Bool missed = way == NO_TAG;
    Vector r;

    if (LIKELY(!missed)) {
        rank = ranks[way];
        if (!rank)
            return False;
    } else {
        set[cp_ll_set_ranked(ranks, rank, n * TAG_VECTOR)] = tag;
    }
    /* Stores whole vectors and never a single byte, since the next reference loads whole ones. */
    r = cp_v_bytes((char)rank);
    for (UInt i = 0; i < n * TAG_VECTOR; i += RANK_VECTOR) {
        Vector v = cp_v_load(ranks + i);
        Vector raised = cp_v_subtract_bytes(v, cp_v_greater_bytes(r, v));
        cp_v_store(ranks + i, cp_v_and_not(cp_v_equal_bytes(v, r), raised));
    }
    return missed;
}

/* Empties all ways of a set. */
static inline void cp_ll_set_init(UInt *set, UInt ways)
{
    UInt n = cp_tag_row_vectors(ways);
    UChar *ranks = (UChar *)(set + n * TAG_VECTOR);

    for (UInt i = 0; i < n * TAG_VECTOR; i++)
        set[i] = NO_TAG;
    for (UInt i = 0; i < (cp_ll_set_size(n) - n * TAG_VECTOR) * 4; i++)
        ranks[i] = i < ways ? (UChar)i : NO_RANK;
}

#endif
