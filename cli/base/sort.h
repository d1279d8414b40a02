/*
 * sort.h - sorting of many: of what often is in order, and by numbers and texts that are worked out
 * once each.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* As qsort(), but what is in order already is gone through only once. `items` may be NULL where `n`
 * is 0. */
void sort_items(void *items, size_t n, size_t size, int (*compare)(const void *, const void *));

/* A thing, by its index, and what it is sorted by. */
struct sorted {
    uint64_t key;
    const char *text;
    size_t index;
};

/* Orders two of one text; `context` is the caller's. */
typedef int sort_compare(const void *a, const void *b, void *context);

/* Sorts by key, the least first; those of one key stay in their order. No time goes by a
 * processor's guesses at what compares how. */
void sort_keys(struct sorted *items, size_t n);
/* Sorts by text, in the order of strcmp(), in a fraction of its time where many texts begin alike;
 * those of one text by `compare`, or (NULL) as they stand. The keys are used up. */
void sort_texts(struct sorted *items, size_t n, sort_compare *compare, void *context);

/* strcmp() of texts that may be NULL, which comes first. */
static inline int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* A number as a key: such that the greatest is the least. */
static inline uint64_t sort_key_falling(int64_t value)
{
    return ~((uint64_t)value ^ UINT64_C(1) << 63);
}

#endif
