/*
 * cp_l1_set.h - one set of a first-level cache: a row of tags (cp_tag_row.h), and behind it a row
 * of as many times, at which each way was last used. A miss replaces the earliest.
 *
 * If the line is in the set already, a reference stores the time of its way and is done. A table of
 * hints (cp_l1.c) tells it the way. So only misses, and lines whose hint has gone to another one,
 * look at all ways.
 */
#ifndef CP_L1_SET_H
#define CP_L1_SET_H

#include "cp_tag_row.h"

#define NEVER_OLDEST 0x7FFFFFFF /* the time of padding: never the earliest */

/* The size in words of a set with rows of n vectors. */
static inline UInt cp_l1_set_size(UInt n)
{
    return 2 * n * TAG_VECTOR;
}

static inline Int *cp_l1_set_times(UInt *set, UInt n)
{
    return (Int *)(set + n * TAG_VECTOR);
}

static inline Vector cp_l1_set_earlier(Vector a, Vector b)
{
    Vector is_a = cp_v_less_words(a, b);

    return cp_v_or(cp_v_and(is_a, a), cp_v_and_not(is_a, b));
}

/* The way that was used least recently, or one of several that never were. */
static inline __attribute__((always_inline)) UInt cp_l1_set_oldest(UInt *set, UInt n)
{
    const Int *times = cp_l1_set_times(set, n);
    Vector t = cp_v_load(times);

    for (UInt i = 1; i < n; i++)
        t = cp_l1_set_earlier(cp_v_load(times + i * TAG_VECTOR), t);
    t = cp_l1_set_earlier(t, cp_v_swap_pairs(t));
    t = cp_l1_set_earlier(t, cp_v_swap_words(t));
    return cp_tag_row_way((const UInt *)times, cp_v_first_word(t), n, 0);
}

/* Empties all ways of a set. */
static inline void cp_l1_set_init(UInt *set, UInt ways)
{
    UInt n = cp_tag_row_vectors(ways);

    for (UInt i = 0; i < n * TAG_VECTOR; i++) {
        set[i] = NO_TAG;
        cp_l1_set_times(set, n)[i] = i < ways ? 0 : NEVER_OLDEST;
    }
}

/* Makes the times small: each becomes the number of ways with an earlier one. Returns the greatest.
 */
static inline Int cp_l1_set_renumber(UInt *set, UInt ways)
{
    Int *times = cp_l1_set_times(set, cp_tag_row_vectors(ways));
    Int order[MAX_WAYS], greatest = 0;

    for (UInt i = 0; i < ways; i++) {
        order[i] = 0;
        for (UInt j = 0; j < ways; j++)
            order[i] += times[j] < times[i];
        if (order[i] > greatest)
            greatest = order[i];
    }
    for (UInt i = 0; i < ways; i++)
        times[i] = order[i];
    return greatest;
}

#endif
