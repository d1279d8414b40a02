#include <config.h>

#include "names/origin.h"

enum origin origin_of(const struct crate *c)
{
    static const enum origin kinds[] = {
        [CRATE_OWN] = ORIGIN_OWN,       [CRATE_DEPENDENCY] = ORIGIN_DEPENDENCY,
        [CRATE_STD] = ORIGIN_STD,       [CRATE_LIBC] = ORIGIN_SYSTEM,
        [CRATE_OBJECT] = ORIGIN_SYSTEM,
    };

    return kinds[c->kind];
}

enum origin origin_of_function(const struct crates *crates, const struct cprof_profile *p,
                               uint32_t function)
{
    const struct cprof_function *f = &p->functions[function];
    uint32_t object = f->object == CPROF_NONE ? p->n_objects : f->object;
    enum origin origin = origin_of(crates_of(crates, function));
    bool by_object =
        f->file == CPROF_NONE && crates->of_function[function] == crates->of_object[object];

    return origin == ORIGIN_OWN && by_object ? ORIGIN_SYSTEM : origin;
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
