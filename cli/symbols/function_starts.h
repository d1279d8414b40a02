/*
 * function_starts.h - where functions of an object begin, as a run has found: at the targets of
 * calls, and at symbols whose code ran. Where no table says which function code belongs to, it is
 * that of the last start before.
 */
#ifndef SYMBOLS_FUNCTION_STARTS_H
#define SYMBOLS_FUNCTION_STARTS_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

struct function_start {
    uint64_t address;
    const char *name; /* "???": not known; the run keeps names where the file is gone at its end */
};

/* By rising address. With n 0 nothing is known. */
struct function_starts {
    size_t n;
    struct function_start *items;
};

static inline bool function_starts_is_before(const void *start, const void *address)
{
    return ((const struct function_start *)start)->address < *(const uint64_t *)address;
}

/* The index of the first one at or behind `address`. */
static inline size_t function_starts_from(const struct function_starts *s, uint64_t address)
{
    return lower_bound(s->items, s->n, sizeof *s->items, function_starts_is_before, &address);
}

/* The first one at or behind `address`; UINT64_MAX: none. */
static inline uint64_t function_starts_next(const struct function_starts *s, uint64_t address)
{
    size_t i = function_starts_from(s, address);

    return i < s->n ? s->items[i].address : UINT64_MAX;
}

static inline bool function_starts_have(const struct function_starts *s, uint64_t address)
{
    return function_starts_next(s, address) == address;
}

/* The last one at or before `address`, or NULL. */
static inline const struct function_start *function_starts_find(const struct function_starts *s,
                                                                uint64_t address)
{
    size_t i = function_starts_from(s, address);

    if (i < s->n && s->items[i].address == address)
        return &s->items[i];
    return i ? &s->items[i - 1] : NULL;
}

#endif
