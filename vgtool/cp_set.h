/*
 * cp_set.h - one set of a cache: which lines it has, and which one a miss replaces.
 */
#ifndef CP_SET_H
#define CP_SET_H

#include "cp_arch.h"
#include "cp_model.h"

/*--- Rows of tags ---*/

/*
 * A row of tags: which way of a set has a line.
 *
 * A row has 32-bit tags, padded to whole vectors. A search compares four vectors at a time. Nothing
 * depends on the place of the tag in them, so there is neither a loop nor a branch.
 */

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

/*--- Last level ---*/

/*
 * One set of the last-level cache. A miss replaces the least recently used line.
 * First-level caches of many ways have such sets, too.
 *
 * A set is a row of tags and behind it a row of bytes, the ranks, which give the
 * order in which the ways were last used: rank 0 is the most recently used, rank ways - 1 is
 * replaced. A reference finds its tag, or replaces a way, and then adds one to all ranks below that
 * of the way, sixteen at a time. It branches only for a miss.
 *
 * Zeroes are an empty set: tags are kept as their complements, and the first miss writes the ranks.
 * A cache's memory is touched only where the program's lines lead to, which matters for large
 * ones: machines of many cores have last levels of 512 MiB.
 */

#define RANK_VECTOR 16  /* ranks in a vector */
#define NO_RANK     127 /* in padding: never searched, never raised */
#define NO_WAY      0xFFFFFFFFu

/* The size in words of a set with rows of n vectors of tags. */
static inline UInt cp_ll_set_size(UInt n)
{
    return n * TAG_VECTOR + (n * TAG_VECTOR + RANK_VECTOR - 1) / RANK_VECTOR * (RANK_VECTOR / 4);
}

/* A tag as a set keeps it. No tag is NO_TAG, so 0 is an empty way. */
static inline UInt cp_ll_set_kept(UInt tag)
{
    return ~tag;
}

/* The way that has the rank; NO_WAY where the ranks are zeroes, unless it is rank 0. */
static inline __attribute__((always_inline)) UInt cp_ll_set_ranked(const UChar *ranks, UInt rank,
                                                                   UInt n)
{
    Vector r = cp_v_bytes((char)rank);

    for (UInt i = 0; i < n; i += RANK_VECTOR) {
        UInt found = cp_v_mask_bytes(cp_v_equal_bytes(cp_v_load(ranks + i), r));
        if (found)
            return i + (UInt)__builtin_ctz(found);
    }
    return NO_WAY;
}

/* Writes the first ranks of a set. Returns the way to be replaced next. */
static inline UInt cp_ll_set_first_ranks(UChar *ranks, UInt last, UInt n)
{
    for (UInt i = 0; i < (cp_ll_set_size(n) - n * TAG_VECTOR) * 4; i++)
        ranks[i] = i <= last ? (UChar)i : NO_RANK;
    return last;
}

/*
 * Refers to the line with this tag. `set` is aligned to 16 bytes; n: vectors of tags, best a
 * constant; last: ways - 1. True on a miss.
 */
static inline __attribute__((always_inline)) Bool cp_ll_set_refer(UInt *set, UInt tag, UInt last,
                                                                  UInt n)
{
    UChar *ranks = (UChar *)(set + n * TAG_VECTOR);
    UInt kept = cp_ll_set_kept(tag), way = cp_tag_row_way(set, kept, n, NO_WAY), rank = last;
    Bool missed = way == NO_WAY;
    Vector r;

    if (LIKELY(!missed)) {
        rank = ranks[way];
    } else {
        way = cp_ll_set_ranked(ranks, rank, n * TAG_VECTOR);
        if (UNLIKELY(way == NO_WAY))
            way = cp_ll_set_first_ranks(ranks, last, n);
        set[way] = kept;
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

#endif
