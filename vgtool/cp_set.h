/*
 * cp_set.h - one set of a cache: a reference to a line, least-recently-used replacement.
 *
 * A set is a row of 32-bit tags, padded to whole vectors, and behind it a row of bytes that say in
 * which order the ways were last used: rank 0 is the most recently used, rank ways - 1 the one to
 * be replaced. A reference looks for its tag in four ways at a time, and then adds one to all ranks
 * that are lower than that of the way it has found (or replaced), sixteen at a time. Nothing
 * depends on where the tag was, so there is no loop and no branch but for the miss and for the way
 * used last.
 */
#ifndef CP_SET_H
#define CP_SET_H

#include "cp_arch.h"
#include "cp_tool.h"

#define SET_VECTOR   4           /* tags in a vector */
#define SET_RANKS    16          /* ranks in a vector */
#define SET_NO_TAG   0xFFFFFFFFu /* in empty ways, and in padding */
#define SET_NO_RANK  127         /* in padding: never looked for, never raised */
#define SET_MAX_WAYS 112         /* ranks are compared as signed bytes, and must stay below that */

static inline UInt cp_set_vectors(UInt ways)
{
    return (ways + SET_VECTOR - 1) / SET_VECTOR;
}

/* The size of a set with rows of n vectors of tags, in words of 4 bytes. */
static inline UInt cp_set_size(UInt n)
{
    return n * SET_VECTOR + (n * SET_VECTOR + SET_RANKS - 1) / SET_RANKS * (SET_RANKS / 4);
}

static inline Vector cp_set_compare(const UInt *p, Vector tag)
{
    return cp_v_equal_words(cp_v_load(p), tag);
}

/* Bit i is set where way i of up to four vectors has the tag. */
static inline __attribute__((always_inline)) UInt cp_set_find(const UInt *row, Vector t, UInt n)
{
    Vector zero = cp_v_zero();
    Vector low = cp_set_compare(row, t), high = zero;

    if (n == 1)
        return cp_v_mask_words(low);
    low = cp_v_pack_words(low, cp_set_compare(row + SET_VECTOR, t));
    if (n > 2)
        high = cp_v_pack_words(cp_set_compare(row + 2 * SET_VECTOR, t),
                               n > 3 ? cp_set_compare(row + 3 * SET_VECTOR, t) : zero);
    return cp_v_mask_bytes(cp_v_pack_halves(low, high));
}

/* The way that has the rank; there is one. */
static inline __attribute__((always_inline)) UInt cp_set_ranked(const UChar *ranks, UInt rank,
                                                                UInt n)
{
    Vector r = cp_v_bytes((char)rank);

    for (UInt i = 0; i < n; i += SET_RANKS) {
        UInt found = cp_v_mask_bytes(cp_v_equal_bytes(cp_v_load(ranks + i), r));
        if (found)
            return i + (UInt)__builtin_ctz(found);
    }
    return 0;
}

/* The way among n vectors of tags that has this one, or `none`. */
static inline __attribute__((always_inline)) UInt cp_set_way(const UInt *row, UInt tag, UInt n,
                                                             UInt none)
{
    Vector t = cp_v_words((Int)tag);

    for (UInt first = 0; first < n; first += 4) {
        UInt found = cp_set_find(row + first * SET_VECTOR, t, n - first < 4 ? n - first : 4);
        if (LIKELY(found))
            return first * SET_VECTOR + (UInt)__builtin_ctz(found);
    }
    return none;
}

/*
 * A reference to the line with this tag. `set` is aligned to 16 bytes; n: vectors of tags, best a
 * constant; last: ways - 1. True on a miss.
 */
static inline __attribute__((always_inline)) Bool cp_set_refer(UInt *set, UInt tag, UInt last,
                                                               UInt n)
{
    UChar *ranks = (UChar *)(set + n * SET_VECTOR);
    UInt way = cp_set_way(set, tag, n, SET_NO_TAG), rank = last;
    Bool missed = way == SET_NO_TAG;
    Vector r;

    if (LIKELY(!missed)) {
        rank = ranks[way];
        if (!rank)
            return False;
    } else {
        set[cp_set_ranked(ranks, rank, n * SET_VECTOR)] = tag;
    }
    /* Whole vectors are stored, and never a byte of one: the next reference loads them. */
    r = cp_v_bytes((char)rank);
    for (UInt i = 0; i < n * SET_VECTOR; i += SET_RANKS) {
        Vector v = cp_v_load(ranks + i);
        Vector raised = cp_v_subtract_bytes(v, cp_v_greater_bytes(r, v));
        cp_v_store(ranks + i, cp_v_and_not(cp_v_equal_bytes(v, r), raised));
    }
    return missed;
}

/* A set all of whose ways are empty. */
static inline void cp_set_init(UInt *set, UInt ways)
{
    UInt n = cp_set_vectors(ways);
    UChar *ranks = (UChar *)(set + n * SET_VECTOR);

    for (UInt i = 0; i < n * SET_VECTOR; i++)
        set[i] = SET_NO_TAG;
    for (UInt i = 0; i < (cp_set_size(n) - n * SET_VECTOR) * 4; i++)
        ranks[i] = i < ways ? (UChar)i : SET_NO_RANK;
}

#endif
