#include <config.h>

#include "profile.h"

#include "cprof_internal.h"
#include "error.h"

#include <stdlib.h>
#include <string.h>

void cprof_free(struct cprof_profile *profile)
{
    struct profile *p = (struct profile *)profile;

    if (!p)
        return;
    for (size_t i = 0; i < sizeof p->records / sizeof *p->records; i++)
        free(p->records[i]);
    for (size_t i = 0; i < sizeof p->block_memory / sizeof *p->block_memory; i++)
        free(p->block_memory[i]);
    arena_release(&p->arena);
    free(p);
}

struct paths profile_paths(const struct cprof_profile *p)
{
    const struct profile *all = (const struct profile *)p;

    if (all->inlined.n)
        return all->inlined;
    return (struct paths){.profile = p,
                          .n = p->n_contexts,
                          .contexts = p->contexts,
                          .n_costs = p->n_context_costs,
                          .costs = p->context_costs,
                          .values = p->context_cost_values,
                          .known = p->n_contexts > 0};
}

void profile_drop_inclusive(struct cprof_profile *profile)
{
    profile->inclusive = NULL;
}

/* A copy of `text`, which may be NULL, in the profile's arena; a text of the function is there. */
static const char *keep_text(struct cprof_profile *p, const struct cprof_function *f,
                             const char *text, int *failed)
{
    const char *copy;

    if (!text || text == f->name || text == f->mangled)
        return text;
    copy = arena_text(&((struct profile *)p)->arena, text, strlen(text));
    *failed |= !copy;
    return copy;
}

struct cprof_profile *profile_rename(struct cprof_profile *p, profile_new_name *new_name,
                                     const void *data, struct cprof_error *error)
{
    struct cprof_function *functions = (struct cprof_function *)p->functions;
    int failed = 0;

    for (uint32_t i = 0; i < p->n_functions; i++) {
        struct cprof_function *f = &functions[i], old = *f;
        const char *name = f->name, *mangled = f->mangled;

        new_name(data, i, &name, &mangled);
        f->name = keep_text(p, &old, name, &failed);
        f->mangled = keep_text(p, &old, mangled, &failed);
    }
    if (!failed)
        return p;
    error_memory(error);
    cprof_free(p);
    return NULL;
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

uint32_t profile_find_event(const struct cprof_event *events, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (equal_in_any_case(events[i].name, name))
            return i;
    return CPROF_NONE;
}

uint32_t cprof_find_event(const struct cprof_profile *profile, const char *name)
{
    return profile_find_event(profile->events, profile->n_events, name);
}

uint32_t profile_find_cost(const struct cprof_profile *raw, uint32_t function, uint64_t address)
{
    uint32_t low = 0, high = raw->n_costs;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct cprof_cost *c = &raw->costs[middle];

        if (c->function < function || (c->function == function && c->address < address))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *cprof_version(void)
{
    return PACKAGE_VERSION;
}
