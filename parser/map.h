/*
 * map.h - an open-addressing hash table from keys that live elsewhere to 32-bit indices.
 *
 * The map holds (hash, index) pairs. The owner knows what an index stands for, and compares it with
 * a key in a callback. A map of zeros is empty and ready. Indices are at most MAP_NONE - 1. Nothing
 * is ever removed.
 */
#ifndef PARSER_MAP_H
#define PARSER_MAP_H

#include "arena.h"

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_slot {
    uint32_t hash, index; /* index MAP_NONE: free */
};

struct map {
    struct map_slot *slots;
    size_t n_slots; /* 0 or a power of two, at least 3/2 of `count` */
    size_t count;
};

typedef int map_equal(const void *owner, uint32_t index, const void *key);

/* The index under `key`, or MAP_NONE. */
uint32_t map_find(const struct map *m, uint32_t hash, map_equal *equal, const void *owner,
                  const void *key);
/* Asks the processor for the slot where a search for `hash` begins. */
__attribute__((always_inline)) static inline void map_prefetch(const struct map *m, uint32_t hash)
{
    if (m->n_slots)
        __builtin_prefetch(&m->slots[hash & (m->n_slots - 1)]);
}
/* Adds an index that is not in the map. 0, or -1 when out of memory. */
int map_add(struct map *m, uint32_t hash, uint32_t index);
void map_release(struct map *m);

/* Elements of one size, each once, and a map of them. One of zeros is empty. */
struct set {
    struct vector items;
    struct map map;
};

/* The index of the element that equals `key`: a copy of `key`, made if new. `equal` gets the array
 * as its owner. MAP_NONE when out of memory. */
uint32_t set_put(struct set *s, uint32_t hash, map_equal *equal, const void *key, size_t size);
void set_release(struct set *s);

/* Mixes 64 bits into 32 that are fit for a map. */
static inline uint32_t map_hash(uint64_t key)
{
    key ^= key >> 32;
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(key >> 32);
}

/* One value more into a hash of several. */
static inline uint64_t map_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 29;
}

/* The hash of `size` bytes; `seed` keeps a file from aiming at one slot. */
uint32_t map_hash_bytes(const void *data, size_t size, uint64_t seed);

#endif
