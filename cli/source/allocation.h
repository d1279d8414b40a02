/*
 * allocation.h - what a line of C or C++ says of the type that it allocates: a cast of the result,
 * a sizeof among the arguments, or the type of a new.
 *
 * "p = (struct node *)malloc(sizeof *p)" has two hints. A line with several calls says nothing.
 */
#ifndef SOURCE_ALLOCATION_H
#define SOURCE_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

enum allocation_kind {
    ALLOCATION_PLAIN,   /* a call, with no hints: as in a wrapper */
    ALLOCATION_HINTS,   /* a call with some */
    ALLOCATION_UNCLEAR, /* no such call, or more than one */
};

enum { ALLOCATION_HINTS_MAX = 2 };

/* Zero-initialised is empty; allocation_free() frees the texts. */
struct allocation {
    enum allocation_kind kind;
    size_t n;
    char *hints[ALLOCATION_HINTS_MAX]; /* "struct node", "*p", "list->items[]": types, and
                                          expressions of their type */
};

/* Reads the call of `function` that begins on the first line of `text`; NULL: of one that
 * allocates, by its name. `cxx`: a new is one, too. */
struct allocation allocation_read(const char *text, const char *function, bool cxx);
void allocation_free(struct allocation *allocation);

#endif
