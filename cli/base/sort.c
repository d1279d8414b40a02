#include <config.h>

#include "base/sort.h"

#include "base/memory.h"

#include <stdlib.h>

void sort_items(void *items, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    char *at = items;

    for (size_t i = 1; i < n; i++, at += size)
        if (compare(at, at + size) > 0) {
            qsort(items, n, size, compare);
            return;
        }
}

/*--- Keys: byte by byte, the last first ---*/

enum { KEY_BYTES = sizeof(uint64_t), FEW = 48 };

static void sort_few(struct sorted *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct sorted moved = items[i];
        size_t to = i;

        for (; to && items[to - 1].key > moved.key; to--)
            items[to] = items[to - 1];
        items[to] = moved;
    }
}

/* How often each byte stands at each place of the keys. */
static void count_bytes(size_t counts[KEY_BYTES][256], const struct sorted *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < KEY_BYTES; k++)
            counts[k][items[i].key >> 8 * k & 0xff]++;
}

/* Copies items in the order of byte `k` of their keys. */
static void distribute(struct sorted *to, const struct sorted *from, size_t n, size_t *counts,
                       int k)
{
    size_t start = 0;

    for (int byte = 0; byte < 256; byte++) {
        size_t count = counts[byte];

        counts[byte] = start;
        start += count;
    }
    for (size_t i = 0; i < n; i++)
        to[counts[from[i].key >> 8 * k & 0xff]++] = from[i];
}

static void sort_many(struct sorted *items, size_t n)
{
    size_t counts[KEY_BYTES][256] = {{0}};
    struct sorted *spare = xreallocarray(NULL, n, sizeof *spare), *from = items, *to = spare;

    count_bytes(counts, items, n);
    for (int k = 0; k < KEY_BYTES; k++) {
        struct sorted *swap = from;

        if (counts[k][from[0].key >> 8 * k & 0xff] == n)
            continue; /* the same everywhere */
        distribute(to, from, n, counts[k], k);
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, n * sizeof *items);
    free(spare);
}

void sort_keys(struct sorted *items, size_t n)
{
    if (n < FEW)
        sort_few(items, n);
    else
        sort_many(items, n);
}

/*--- Texts: as many bytes at a time as a key has ---*/

/* The next bytes as a number that compares as they do; 0 for those behind the end. */
static uint64_t chunk(const char *text)
{
    uint64_t key = 0;

    for (int i = KEY_BYTES - 1; i >= 0 && *text; i--)
        key |= (uint64_t)(unsigned char)*text++ << 8 * i;
    return key;
}

struct texts {
    sort_compare *compare;
    void *context;
};

/* Sorts texts of which the first `depth` bytes are the same. */
static void sort_from(struct sorted *items, size_t n, size_t depth, const struct texts *texts)
{
    size_t begin = 0;

    for (size_t i = 0; i < n; i++)
        items[i].key = chunk(items[i].text + depth);
    sort_keys(items, n);
    for (size_t i = 1; i <= n; i++) {
        if (i < n && items[i].key == items[begin].key)
            continue;
        /* A last byte of 0: the texts end here. */
        if (i - begin > 1 && (items[begin].key & 0xff))
            sort_from(items + begin, i - begin, depth + KEY_BYTES, texts);
        else if (i - begin > 1 && texts->compare)
            qsort_r(items + begin, i - begin, sizeof *items, texts->compare, texts->context);
        begin = i;
    }
}

void sort_texts(struct sorted *items, size_t n, sort_compare *compare, void *context)
{
    sort_from(items, n, 0, &(struct texts){compare, context});
}
