#include <config.h>

#include "base/sort.h"

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

/*--- Texts: eight bytes at a time ---*/

enum { CHUNK = sizeof(uint64_t) };

/* The next bytes as a number that compares as they do; 0 for those behind the end. */
static uint64_t chunk(const char *text)
{
    uint64_t key = 0;

    for (int i = CHUNK - 1; i >= 0 && *text; i--)
        key |= (uint64_t)(unsigned char)*text++ << 8 * i;
    return key;
}

static int compare_keys(const void *a, const void *b)
{
    const struct sorted_text *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Sorts texts of which the first `depth` bytes are the same. */
static void sort_from(struct sorted_text *items, size_t n, size_t depth)
{
    size_t begin = 0;

    for (size_t i = 0; i < n; i++)
        items[i].key = chunk(items[i].text + depth);
    sort_items(items, n, sizeof *items, compare_keys);
    for (size_t i = 1; i <= n; i++) {
        if (i < n && items[i].key == items[begin].key)
            continue;
        /* A last byte of 0: the texts end here. */
        if (i - begin > 1 && (items[begin].key & 0xff))
            sort_from(items + begin, i - begin, depth + CHUNK);
        begin = i;
    }
}

void sort_texts(struct sorted_text *items, size_t n)
{
    sort_from(items, n, 0);
}
