/*
 * cp_first.h - one set of a first-level cache: a row of 32-bit tags, padded to whole vectors, and
 * behind it a row of as many times, of when each way was last used. The earliest is replaced.
 *
 * Where the line is in the set already, a reference stores the time of its way and is done. It is
 * told the way by a table of hints (cp_cache.c), so that only misses, and lines whose hint has gone
 * to another one, look at all ways.
 */
#ifndef CP_FIRST_H
#define CP_FIRST_H

#include "cp_set.h"

#define FIRST_NEVER 0x7FFFFFFF /* the time of padding: never the earliest */

/* The size of a set with rows of n vectors, in words of 4 bytes. */
static inline UInt cp_first_size(UInt n)
{
    return 2 * n * SET_VECTOR;
}

static inline Int *cp_first_times(UInt *set, UInt n)
{
    return (Int *)(set + n * SET_VECTOR);
}

static inline Vector cp_first_earlier(Vector a, Vector b)
{
    Vector is_a = cp_v_less_words(a, b);

    return cp_v_or(cp_v_and(is_a, a), cp_v_and_not(is_a, b));
}

/* The way that was used least recently, or one of several that never were. */
static inline __attribute__((always_inline)) UInt cp_first_oldest(UInt *set, UInt n)
{
    const Int *times = cp_first_times(set, n);
    Vector t = cp_v_load(times);

    for (UInt i = 1; i < n; i++)
        t = cp_first_earlier(cp_v_load(times + i * SET_VECTOR), t);
    t = cp_first_earlier(t, cp_v_swap_pairs(t));
    t = cp_first_earlier(t, cp_v_swap_words(t));
    return cp_set_way((const UInt *)times, cp_v_first_word(t), n, 0);
}

/* A set all of whose ways are empty. */
static inline void cp_first_init(UInt *set, UInt ways)
{
    UInt n = cp_set_vectors(ways);

    for (UInt i = 0; i < n * SET_VECTOR; i++) {
        set[i] = SET_NO_TAG;
        cp_first_times(set, n)[i] = i < ways ? 0 : FIRST_NEVER;
    }
}

/* Makes the times small: each becomes the number of ways of the set with an earlier one. Returns
 * the greatest. */
static inline Int cp_first_renumber(UInt *set, UInt ways)
{
    Int *times = cp_first_times(set, cp_set_vectors(ways));
    Int order[SET_MAX_WAYS], greatest = 0;

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
