/*
 * table.h - records that add up: a key of a fixed size and a row of counts for each.
 *
 * Adding appends; equal keys are only found when the table is put in order. That is cheaper than a
 * hash at every line, because profiles come mostly in order, and because the order is wanted in the
 * end anyway. Whenever the log outgrows its memory it is put in order first, so that memory stays
 * in proportion to distinct records.
 */
#ifndef PARSER_TABLE_H
#define PARSER_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct table_class {
    size_t key_size;
    /* A key begins with a uint32_t, its bucket: the first part of the order, an index below the
     * `n_buckets` of table_order(). This is the rest of the order, within one bucket: <0, 0 (the
     * same record) or >0. */
    int (*compare)(const void *a, const void *b);
    /* Adds what a key itself counts; -1 on overflow. NULL: nothing. */
    int (*merge)(void *into, const void *from);
};

/* A table of zeros and its class is empty and ready. */
struct table {
    const struct table_class *class;
    unsigned char *keys; /* `count` keys, and rows of `width` counts beside them */
    int64_t *values;
    uint32_t width;
    uint32_t count, room;
    uint64_t worth; /* from so many records on it is worth looking for equal ones */
};

enum table_result { TABLE_OK, TABLE_MEMORY, TABLE_OVERFLOW };

/* Adds one record. `n_buckets` is what table_order() would be given now. */
enum table_result table_add(struct table *t, const void *key, const int64_t *values,
                            uint32_t n_buckets);
/* Makes rows wider; earlier records get zeros. */
enum table_result table_widen(struct table *t, uint32_t width);
/* Sorts by bucket and key, and adds up equal records. */
enum table_result table_order(struct table *t, uint32_t n_buckets);
/* Adds all rows up into `sums`, `width` numbers. */
enum table_result table_sum(const struct table *t, int64_t *sums);
void table_release(struct table *t);

/* Adds a row to another; -1 on overflow. */
static inline int table_add_row(int64_t *to, const int64_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (__builtin_add_overflow(to[i], from[i], &to[i]))
            return -1;
    return 0;
}

#endif
