/*
 * sort.h - sorting of what often is in order.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* As qsort(), but what is in order already is gone through only once. `items` may be NULL where `n`
 * is 0. */
void sort_items(void *items, size_t n, size_t size, int (*compare)(const void *, const void *));

struct sorted_text {
    const char *text;
    size_t index;
    uint64_t key; /* of sort_texts() alone */
};

/* Sorts by text, in the order of strcmp(); those of one text by index. Many long texts that begin
 * alike are sorted in a fraction of the time that strcmp() would take. */
void sort_texts(struct sorted_text *items, size_t n);

#endif
