/*
 * intervals.h - address ranges, and the search for the one that has an address. Symbols, units and
 * functions are looked up this way.
 *
 * Add ranges in any order, then make them disjoint with intervals_flatten(), then find. Where
 * ranges overlap, the one that begins last has the address (the innermost of nested ones); among
 * equal beginnings the shortest, then the one of the lowest value.
 */
#ifndef SYMBOLS_INTERVALS_H
#define SYMBOLS_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
    uint64_t start, end; /* [start, end) */
    uint32_t value;
};

/* Zero-initialised is empty. */
struct intervals {
    size_t n, room;
    struct interval *items;
};

#define INTERVAL_NONE UINT32_MAX

/* Adds a range; an empty one is dropped. */
void intervals_add(struct intervals *list, uint64_t start, uint64_t end, uint32_t value);
void intervals_flatten(struct intervals *list);
/* The value at `address`, or INTERVAL_NONE. After intervals_flatten() only. */
uint32_t intervals_find(const struct intervals *list, uint64_t address);
/* intervals_find() that is fast where addresses come in order: `*hint`, any number at first, is
 * where the last one was. */
uint32_t intervals_find_near(const struct intervals *list, uint64_t address, size_t *hint);
/* The beginning of the first range after `address`, or UINT64_MAX. After intervals_flatten() only.
 */
uint64_t intervals_next(const struct intervals *list, uint64_t address);
void intervals_free(struct intervals *list);

#endif
