/*
 * sort.h - sorting of what often is in order.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* As qsort(), but what is in order already is gone through only once. `items` may be NULL where `n`
 * is 0. */
void sort_items(void *items, size_t n, size_t size, int (*compare)(const void *, const void *));

#endif
