/*
 * vector.h - a growing array: elements of one size, which every call gets. A vector of zeros is
 * empty and ready; its owner frees `data`. Whoever takes `data` away puts NULL there.
 */
#ifndef PARSER_VECTOR_H
#define PARSER_VECTOR_H

#include <stddef.h>

struct vector {
    void *data; /* malloc'd; it moves when the vector grows */
    size_t count, room;
};

/* Makes room for `n` elements behind the last, and for more. 0, or -1 when out of memory. */
int vector_grow(struct vector *v, size_t n, size_t size);

/* Room for `n` elements behind the last, which the caller puts there. 0, or -1 when out of memory.
 */
static inline int vector_reserve(struct vector *v, size_t n, size_t size)
{
    return v->room - v->count >= n ? 0 : vector_grow(v, n, size);
}

/* A new element at the end, not cleared; NULL when out of memory. */
static inline void *vector_push(struct vector *v, size_t size)
{
    return vector_reserve(v, 1, size) ? NULL : (char *)v->data + v->count++ * size;
}

#endif
