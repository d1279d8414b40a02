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

/* By rising address. With n 0 nothing is known. */
struct function_starts {
    size_t n;
    uint64_t *addresses;
};

static inline bool function_starts_is_before(const void *start, const void *address)
{
    return *(const uint64_t *)start < *(const uint64_t *)address;
}

/* The index of the first one at or behind `address`. */
static inline size_t function_starts_from(const struct function_starts *s, uint64_t address)
{
    return lower_bound(s->addresses, s->n, sizeof *s->addresses, function_starts_is_before,
                       &address);
}

/* The first one at or behind `address`; UINT64_MAX: none. */
static inline uint64_t function_starts_next(const struct function_starts *s, uint64_t address)
{
    size_t i = function_starts_from(s, address);

    return i < s->n ? s->addresses[i] : UINT64_MAX;
}

static inline bool function_starts_have(const struct function_starts *s, uint64_t address)
{
    return function_starts_next(s, address) == address;
}

#endif
