/*
 * cp_hash.h - the tool's hash function and its hash table.
 *
 * A table holds pointers to elements that never move, such as those of a Pool. It is open: an
 * element lies at the place of its hash or, if that is taken, behind it. At least a quarter of a
 * table is empty. Elements are never removed. Hashes lie beside the pointers, since each look at
 * an element of a large table takes as long as a hundred instructions: an element is looked at only
 * where its hash is equal.
 *
 * A user of a table writes two functions: one hashes an element, the other compares two. Searches
 * are inlined with both. A key is an element of which only those fields are set that the two
 * functions read.
 */
#ifndef CP_HASH_H
#define CP_HASH_H

#include "cp_tool.h"

typedef struct {
    void *element; /* NULL: empty */
    ULong hash;
} HashEntry;

typedef struct {
    HashEntry *entries; /* `room` of them, a power of two */
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
void cp_hash_grow(HashTable *table);

/* The entry of the element that equals `key`, or an empty one. */
static inline __attribute__((always_inline)) HashEntry *
cp_hash_entry(const HashTable *table, const void *key, UInt hash, Comparer *same)
{
    UInt i = hash & (table->room - 1);
    HashEntry *e = &table->entries[i];

    while (e->element && (e->hash != hash || !same(e->element, key))) {
        i = (i + 1) & (table->room - 1);
        e = &table->entries[i];
    }
    return e;
}

/*
 * The place of the element that equals `key`. If the place is NULL, the caller must store a new
 * element there at once; the table has counted it.
 */
static inline __attribute__((always_inline)) void **cp_hash_find(HashTable *table, const void *key,
                                                                 Hasher *hash, Comparer *same)
{
    UInt h = hash(key);
    HashEntry *e;

    if (UNLIKELY(table->n >= table->room / 4 * 3))
        cp_hash_grow(table);
    e = cp_hash_entry(table, key, h, same);
    if (!e->element) {
        table->n++;
        e->hash = h;
    }
    return &e->element;
}

/* The element that equals `key`; NULL: there is none. */
static inline void *cp_hash_get(const HashTable *table, const void *key, Hasher *hash,
                                Comparer *same)
{
    return table->n ? cp_hash_entry(table, key, hash(key), same)->element : NULL;
}

#endif
