/*
 * cp_hash.h - the tool's hash function and its hash table.
 *
 * A table holds pointers to elements that never move, such as those of a Pool. It is open: an
 * element lies at the place of its hash or, if that is taken, behind it. At least half of a table
 * is empty. Elements are never removed.
 *
 * A user of a table writes two functions: one hashes an element, the other compares two. Searches
 * are inlined with both. A key is an element of which only those fields are set that the two
 * functions read.
 */
#ifndef CP_HASH_H
#define CP_HASH_H

#include "cp_tool.h"

typedef struct {
    void **entries; /* `room` of them, a power of two; NULL: empty */
    UInt n, room;
} HashTable;

typedef UInt Hasher(const void *element);
typedef Bool Comparer(const void *a, const void *b);

/*
 * A sum of products, whose upper half depends on each bit of the numbers. The factors are odd, and
 * near 2^64 times the fractions of the golden ratio and of the roots of 2 and 3.
 */
static inline UInt cp_hash(ULong a, ULong b, ULong c)
{
    return (a * 0x9E3779B97F4A7C15ULL + b * 0x6A09E667F3BCC909ULL + c * 0xBB67AE8584CAA73BULL) >>
           32;
}

/* Doubles the room of the table. */
void cp_hash_grow(HashTable *table, Hasher *hash);

/*
 * The place of the element that equals `key`. If the place is NULL, the caller must store a new
 * element there at once; the table has counted it.
 */
static inline __attribute__((always_inline)) void **cp_hash_find(HashTable *table, const void *key,
                                                                 Hasher *hash, Comparer *same)
{
    UInt i;

    if (UNLIKELY(2 * table->n >= table->room))
        cp_hash_grow(table, hash);
    i = hash(key) & (table->room - 1);
    while (table->entries[i] && !same(table->entries[i], key))
        i = (i + 1) & (table->room - 1);
    if (!table->entries[i])
        table->n++;
    return &table->entries[i];
}

/* The element that equals `key`; NULL: there is none. */
static inline void *cp_hash_get(const HashTable *table, const void *key, Hasher *hash,
                                Comparer *same)
{
    UInt i;

    if (!table->n)
        return NULL;
    i = hash(key) & (table->room - 1);
    while (table->entries[i] && !same(table->entries[i], key))
        i = (i + 1) & (table->room - 1);
    return table->entries[i];
}

#endif
