/*
 * repeated.h - things that look the same. Functions, rows and lines of a table are found so; each
 * of them is told apart by something of its own: more of its name, its hash, its place.
 */
#ifndef NAMES_REPEATED_H
#define NAMES_REPEATED_H

#include <stddef.h>

/* The way to find them among things with numbers from 0. `owner` is the caller's. */
struct repeated {
    /* A text that equal ones have in common: where most have a text of their own, few are put in
     * order. NULL: all are. */
    const char *(*text)(const void *owner, size_t i);
    /* Orders two by all that is seen of them. 0: they look the same. */
    int (*compare)(const void *owner, size_t a, size_t b);
    /* Orders two that look the same; NULL: by number. */
    int (*order)(const void *owner, size_t a, size_t b);
    /* Takes `n` >= 2 that look the same, and may change how they look. */
    void (*use)(void *owner, const size_t *items, size_t n);
};

/* Finds them among `n`, and hands over one group after the other. */
void repeated_each(const struct repeated *how, void *owner, size_t n);

#endif
