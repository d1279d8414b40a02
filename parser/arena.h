/*
 * arena.h - memory that is freed all at once: a chain of chunks, each used from front to back.
 *
 * An arena of zeros is empty and ready. Nothing in it is freed on its own; arena_release() frees
 * all of it. Out of memory is NULL, and the arena stays usable.
 */
#ifndef PARSER_ARENA_H
#define PARSER_ARENA_H

#include <stddef.h>
#include <string.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    char *next;                 /* free memory of the newest chunk */
    size_t left;
};

/* `size` bytes aligned for any type, not cleared. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((malloc, alloc_size(2)));
/* A copy of `size` bytes with a NUL behind them; not aligned. */
char *arena_text(struct arena *a, const char *text, size_t size);
/* A copy of `count` elements of `size` bytes each; for no elements a valid pointer that must not be
 * read. */
void *arena_copy(struct arena *a, const void *data, size_t count, size_t size);
void arena_release(struct arena *a);

/*--- Arrays that grow ---*/

/*
 * A growing array: elements of one size, which every call gets. A vector of zeros is
 * empty and ready; its owner frees `data`. Whoever takes `data` away puts NULL there.
 */

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

/* Adds a copy of an element at the end. 0, or -1 when out of memory. */
static inline int vector_add(struct vector *v, const void *element, size_t size)
{
    void *new = vector_push(v, size);

    return new ? memcpy(new, element, size), 0 : -1;
}

#endif
