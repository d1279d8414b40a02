/*
 * counts.h - arithmetic of counts, which are 64 bits wide: a sum that goes beyond stays at the
 * limit. A row of counts has one for each event of a profile.
 */
#ifndef BASE_COUNTS_H
#define BASE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* Adds a count. */
static inline void count_add(int64_t *to, int64_t more)
{
    if (__builtin_add_overflow(*to, more, to))
        *to = more < 0 ? INT64_MIN : INT64_MAX;
}

/* The change from one count to another. */
static inline int64_t count_change(int64_t before, int64_t after)
{
    int64_t change;

    if (__builtin_sub_overflow(after, before, &change))
        return after > before ? INT64_MAX : INT64_MIN;
    return change;
}

/* Adds `n` counts, each to its own. */
static inline void counts_add(int64_t *to, const int64_t *more, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        count_add(&to[i], more[i]);
}

/* True where any of `n` counts is not 0. */
static inline bool counts_any(const int64_t *counts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (counts[i])
            return true;
    return false;
}

/* The absolute value, which INT64_MIN has only as an unsigned number. */
static inline uint64_t count_size(int64_t count)
{
    return count < 0 ? -(uint64_t)count : (uint64_t)count;
}

/* Adds a number of calls. */
static inline void calls_add(uint64_t *calls, uint64_t more)
{
    if (__builtin_add_overflow(*calls, more, calls))
        *calls = UINT64_MAX;
}

/* A number of calls as a count. */
static inline int64_t calls_count(uint64_t calls)
{
    return calls > INT64_MAX ? INT64_MAX : (int64_t)calls;
}

/*--- Numbers for people ---*/

/* Counts as people read them. */

enum { TEXT_NUMBER = 32 }; /* room for any number that is written so */

/* "117,237,366" */
char *text_count(char buffer[TEXT_NUMBER], int64_t value);

/* text_count() for sentences that have several counts; valid until the end of the block. */
#define TEXT_COUNT(value) text_count((char[TEXT_NUMBER]){0}, (int64_t)(value))

#endif
