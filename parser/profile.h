/*
 * profile.h - what stands behind a loaded profile: the public struct and the memory it hangs from.
 */
#ifndef PARSER_PROFILE_H
#define PARSER_PROFILE_H

#include "arena.h"
#include "cprof.h"
#include "sections.h"

/* `public` is first: cprof_free() casts back. */
struct profile {
    struct cprof_profile public;
    struct arena arena;
    void *blocks[8]; /* the records and their counts: too large to copy into the arena */
    const struct sections *sections; /* in the arena; NULL: none */
    void *section_blocks[7];         /* what it points to */
};

#endif
