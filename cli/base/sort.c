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
