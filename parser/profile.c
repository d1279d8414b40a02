#include <config.h>

#include "profile.h"

#include <stdlib.h>

void cprof_free(struct cprof_profile *profile)
{
    struct profile *p = (struct profile *)profile;

    if (!p)
        return;
    for (size_t i = 0; i < sizeof p->blocks / sizeof *p->blocks; i++)
        free(p->blocks[i]);
    arena_release(&p->arena);
    free(p);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Equality of ASCII text in any case; locales do not matter. */
static int equal_in_any_case(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

uint32_t cprof_find_event(const struct cprof_profile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->n_events; i++)
        if (equal_in_any_case(profile->events[i].name, name))
            return i;
    return CPROF_NONE;
}

const char *cprof_version(void)
{
    return PACKAGE_VERSION;
}
