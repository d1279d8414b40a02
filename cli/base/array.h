/*
 * array.h - arrays: those that grow, the search in those that are in order, the order of some
 * before others, and what a loop over large ones asks the processor for ahead of time.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Room for one more element behind the `n` of `items`, which has room for `room`; all three are
 * variables or members, `items` NULL and both counts 0 at first. The room doubles:
 *
 *     GROW(list->items, list->n, list->room);
 *     list->items[list->n++] = item;
 */
#define GROW(items, n, room)                                   \
    ((void)((n) < (room) ? 0                                   \
                         : ((room) = (room) ? 2 * (room) : 16, \
                            (items) = xreallocarray((items), (room), sizeof *(items)), 0)))

/* A new element at the end, for an assignment: APPEND(list->items, list->n, list->room) = item. No
 * value that reads one of the three can be assigned. */
#define APPEND(items, n, room) (*(GROW(items, n, room), &(items)[(n)++]))

/* Where an array in order stops to be before a key: the index of the first of `n` elements of
 * `size` bytes that `is_before` is false for, `n` where there is none. */
static inline size_t lower_bound(const void *items, size_t n, size_t size,
                                 bool (*is_before)(const void *item, const void *key),
                                 const void *key)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (is_before((const char *)items + middle * size, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* `n` indices, of which none is known yet: UINT32_MAX, which is CPROF_NONE. The caller frees them.
 */
static inline uint32_t *new_indices(size_t n)
{
    uint32_t *indices = xreallocarray(NULL, n + 1, sizeof *indices);

    memset(indices, 0xff, (n + 1) * sizeof *indices);
    return indices;
}

/* Moves the elements that `is` is true of to the front, each kind in its order. Returns how many
 * they are. */
static inline size_t array_partition(void *items, size_t n, size_t size,
                                     bool (*is)(const void *item, const void *key), const void *key)
{
    char *from = items, *others = xreallocarray(NULL, n + 1, size);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (is(from + i * size, key))
            memmove(from + kept++ * size, from + i * size, size);
        else
            memcpy(others + (i - kept) * size, from + i * size, size);
    }
    memcpy(from + kept * size, others, (n - kept) * size);
    free(others);
    return kept;
}

/*
 * Asks the processor for memory that a loop reads, or writes, some turns later. A loop over
 * millions of contexts or costs finds most of what it needs by an index, all over memory: without
 * that it waits for each. Any address may be given, nothing depends on it but time.
 */
#define PREFETCH_INLINE __attribute__((always_inline)) static inline

PREFETCH_INLINE void prefetch_read(const void *address)
{
    __builtin_prefetch(address);
}

PREFETCH_INLINE void prefetch_write(const void *address)
{
    __builtin_prefetch(address, 1);
}

#endif
