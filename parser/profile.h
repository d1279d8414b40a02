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

/*
 * Gives a function another name, and a linkage name or NULL; both are copied. For those who have
 * just made the profile: nobody else may look at it. 0, or -1 when out of memory.
 */
int profile_rename(struct cprof_profile *profile, uint32_t function, const char *name,
                   const char *mangled);

#endif
