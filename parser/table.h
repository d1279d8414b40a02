/*
 * table.h - records that add up: a key of a fixed size and a row of counts for each.
 *
 * Records stand in the order in which they first came until table_order(). Profiles repeat
 * themselves: part after part has the records of a function in one order. So the record behind the
 * last one is looked at first, and most additions touch memory from front to back. Any other record
 * is searched for among those of its bucket: they stand together where the bucket came but once,
 * and a hash has all records of buckets that came again or are large. Memory is in proportion to
 * distinct records.
 */
#ifndef PARSER_TABLE_H
#define PARSER_TABLE_H

#include "map.h"

#include <stddef.h>
#include <stdint.h>

struct table_class {
    /* A key begins with a uint32_t, its bucket: the first part of the order, an index below the
     * `n_buckets` of table_order(). */
    size_t key_size;
    /* A key's identity: the first words, of 8 bytes each; padding among them must be zero. */
    size_t n_words;
    /* The rest of the order, within one bucket: <0, 0 (the same record) or >0. */
    int (*compare)(const void *a, const void *b);
    /* Adds the counts that are in keys themselves; -1 on overflow. NULL: there are none. */
    int (*merge)(void *into, const void *from);
};

/* The place of a bucket's records: `count` of them from `first` on, and others if `hashed`. */
struct table_span {
    uint32_t first, count;
    uint32_t greatest; /* of these */
    uint32_t hashed;   /* all of the bucket are in the map */
};

/* A table of zeros and its class is empty and ready. */
struct sum_table {
    const struct table_class *class;
    unsigned char *keys; /* `count` keys, and rows of `width` counts beside them */
    int64_t *values;
    uint32_t width;
    uint32_t count, room;
    uint32_t next; /* the record that is expected to come */
    uint32_t n_spans;
    struct table_span *spans; /* of each bucket */
    struct map map;
};

enum table_result { TABLE_OK, TABLE_MEMORY, TABLE_OVERFLOW };

/* Adds one record. */
enum table_result table_add(struct sum_table *t, const void *key, const int64_t *values);
/* Hints that records of this bucket follow, from its first one on; those that are there are fetched
 * into the processor's caches. */
void table_expect(struct sum_table *t, uint32_t bucket);
/* Makes rows wider; earlier records get zeros. */
enum table_result table_widen(struct sum_table *t, uint32_t width);
/* Sorts by bucket and key. Nothing may be added afterwards. */
enum table_result table_order(struct sum_table *t, uint32_t n_buckets);
/* Sorts `n` numbers of records by key alone, stably; `spare` has room for half of them. */
void table_sort(const struct sum_table *t, uint32_t *order, uint32_t n, uint32_t *spare);
/* Appends a record without a search for an equal one. It excludes table_add() and table_order() on
 * one table. */
enum table_result table_append(struct sum_table *t, const void *key, const int64_t *values);
/* Makes room for `n` records more. */
enum table_result table_reserve(struct sum_table *t, uint32_t n);
/* Adds all rows up into `sums`, `width` numbers. */
enum table_result table_sum(const struct sum_table *t, int64_t *sums);
void table_release(struct sum_table *t);

static inline void *table_key(const struct sum_table *t, uint32_t i)
{
    return t->keys + (size_t)i * t->class->key_size;
}

static inline int64_t *table_row(const struct sum_table *t, uint32_t i)
{
    return t->values + (size_t)i * t->width;
}

/* Adds a row to another; -1 on overflow. */
static inline int table_add_row(int64_t *to, const int64_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (__builtin_add_overflow(to[i], from[i], &to[i]))
            return -1;
    return 0;
}

#endif
