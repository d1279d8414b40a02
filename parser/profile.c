#include <config.h>

#include "profile.h"

#include <stdlib.h>
#include <string.h>

void cprof_free(struct cprof_profile *profile)
{
    struct profile *p = (struct profile *)profile;

    if (!p)
        return;
    for (size_t i = 0; i < sizeof p->blocks / sizeof *p->blocks; i++)
        free(p->blocks[i]);
    for (size_t i = 0; i < sizeof p->section_blocks / sizeof *p->section_blocks; i++)
        free(p->section_blocks[i]);
    arena_release(&p->arena);
    free(p);
}

int profile_rename(struct cprof_profile *profile, uint32_t function, const char *name,
                   const char *mangled)
{
    struct profile *p = (struct profile *)profile;
    struct cprof_function *f = (struct cprof_function *)&profile->functions[function];
    const char *new_name = arena_text(&p->arena, name, strlen(name));
    const char *new_mangled = NULL;

    if (mangled && mangled != f->mangled)
        new_mangled = arena_text(&p->arena, mangled, strlen(mangled));
    if (!new_name || (mangled && mangled != f->mangled && !new_mangled))
        return -1;
    f->name = new_name;
    if (mangled != f->mangled)
        f->mangled = new_mangled;
    return 0;
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
