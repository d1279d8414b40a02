#include <config.h>

#include "names/origin.h"

enum origin origin_of(enum owner owner)
{
    static const enum origin kinds[] = {
        [OWNER_OWN] = ORIGIN_OWN,
        [OWNER_DERIVED] = ORIGIN_OWN,
        [OWNER_DEPENDENCY] = ORIGIN_DEPENDENCY,
        [OWNER_STD] = ORIGIN_STD,
        [OWNER_LIBC] = ORIGIN_SYSTEM,
        [OWNER_OBJECT] = ORIGIN_SYSTEM,
        [OWNER_STARTUP] = ORIGIN_SYSTEM,
    };

    return kinds[owner];
}

unsigned origin_shade(const struct crate *c)
{
    uint32_t hash = 2166136261U; /* FNV-1a */

    for (const char *p = c->name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619U;
    return (hash ^ hash >> 16) % ORIGIN_SHADES;
}

const char *origin_title(enum origin kind)
{
    static const char *const titles[] = {"your code", "dependencies", "standard library",
                                         "libc and others"};

    return titles[kind];
}

char origin_letter(enum origin kind)
{
    return "odsx"[kind];
}
