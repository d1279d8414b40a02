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

static inline __m128i cp_first_earlier(__m128i a, __m128i b)
{
    __m128i is_a = _mm_cmplt_epi32(a, b);

    return _mm_or_si128(_mm_and_si128(is_a, a), _mm_andnot_si128(is_a, b));
}

/* The way that was used least recently, or one of several that never were. */
static inline __attribute__((always_inline)) UInt cp_first_oldest(UInt *set, UInt n)
{
    const __m128i *times = (const __m128i *)cp_first_times(set, n);
    __m128i t = _mm_load_si128(times);

    for (UInt i = 1; i < n; i++)
        t = cp_first_earlier(_mm_load_si128(times + i), t);
    t = cp_first_earlier(t, _mm_shuffle_epi32(t, _MM_SHUFFLE(1, 0, 3, 2)));
    t = cp_first_earlier(t, _mm_shuffle_epi32(t, _MM_SHUFFLE(2, 3, 0, 1)));
    return cp_set_way((const UInt *)times, (UInt)_mm_cvtsi128_si32(t), n, 0);
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
