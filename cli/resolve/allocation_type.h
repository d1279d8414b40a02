/*
 * allocation_type.h - the type of what a call path allocates, by the functions on it from the
 * allocation outwards: type parameters of Rust's and C++'s containers, and what a line of C or C++
 * says.
 *
 * A type that is not certain is none: misses would be put to fields that are not there.
 */
#ifndef RESOLVE_ALLOCATION_TYPE_H
#define RESOLVE_ALLOCATION_TYPE_H

#include "source/source_file.h"
#include "symbols/type_find.h"

/* A type that was looked for in a function. */
struct known_hint {
    const void *function; /* where its DIE is */
    char *hint;
    uint32_t type;
};

/* All that searches in one object share. Zero-initialised but for its reader, its finder's program
 * and `built`; allocation_types_free() frees it. */
struct allocation_types {
    struct type_reader reader;
    struct source_finder sources;
    struct timespec built; /* of the object: lines of younger files are not those it is of */
    size_t n_hints, hints_room;
    struct known_hint *hints;
};

/* A search along one call path. Zero-initialised with its `types`, which are borrowed. */
struct allocation_search {
    struct allocation_types *types;
    const char *wrapper; /* the function of the frame before, which says nothing itself */
    unsigned n_wrappers;
};

enum allocation_step {
    ALLOCATION_OUTWARD, /* nothing yet: the frame around it says more */
    ALLOCATION_FOUND,
    ALLOCATION_END /* this frame would say it, and does not */
};

/* A frame of the path: a function, and the line in it of the call that leads to the allocation. */
struct allocation_frame {
    struct debug_function *function;
    const char *file; /* NULL: not known */
    uint32_t line;
};

/* Looks at the next frame. `*type` is the builder's index of the type that was found. */
enum allocation_step allocation_look(struct allocation_search *search,
                                     const struct allocation_frame *frame, uint32_t *type);
void allocation_types_free(struct allocation_types *types);
/* allocation_look() for a function without debug information, by its symbol or NULL. */
enum allocation_step allocation_look_symbol(const char *symbol);

#endif
