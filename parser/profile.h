/*
 * profile.h - a profile as the library has it: the public struct, and the memory that it points to.
 */
#ifndef PARSER_PROFILE_H
#define PARSER_PROFILE_H

#include "arena.h"
#include "blocks.h"
#include "cprof.h"
#include "paths.h"

/* `public` is first: cprof_free() casts back. */
struct profile {
    struct cprof_profile public;
    struct arena arena;
    void *records[8];            /* with their counts: too large to copy into the arena */
    struct paths inlined;        /* what was inlined where, without call paths; else n is 0 */
    const struct blocks *blocks; /* in the arena; NULL: none */
    void *block_memory[7];       /* that it points to */
};

#endif
