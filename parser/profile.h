/*
 * profile.h - what stands behind a loaded profile: the public struct and the memory it hangs from.
 */
#ifndef PARSER_PROFILE_H
#define PARSER_PROFILE_H

#include "arena.h"
#include "cprof.h"

/* `public` is first: cprof_free() casts back. */
struct profile {
    struct cprof_profile public;
    struct arena arena;
    void *blocks[7]; /* the records and their counts: too large to copy into the arena */
};

#endif
