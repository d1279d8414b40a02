#include <config.h>

/* Types of data. */
#include "builder_private.h"

#include <string.h>

/* Makes the text one of the builder's. 0 or -1. */
static int intern(struct builder *b, const char **text)
{
    return *text && !(*text = builder_text(b, *text, strlen(*text))) ? -1 : 0;
}

/* Tells whether the type at `index` has these members, whose texts need not be the builder's. */
static int same_members(const struct builder *b, uint32_t index, const struct cprof_type *type,
                        const struct cprof_member *members)
{
    const struct cprof_type *its = (const struct cprof_type *)b->types.data + index;
    const struct cprof_member *all = b->members.data;

    if (its->n_members != type->n_members)
        return 0;
    for (uint32_t i = 0; i < type->n_members; i++) {
        const struct cprof_member *x = &all[its->first_member + i], *y = &members[i];

        if (x->offset != y->offset || x->size != y->size || x->depth != y->depth ||
            strcmp(x->name, y->name) || !x->type != !y->type ||
            (x->type && strcmp(x->type, y->type)))
            return 0;
    }
    return 1;
}

/* The index of the type that equals it, or CPROF_NONE. A profile has few types. */
static uint32_t find(const struct builder *b, const struct cprof_type *type,
                     const struct cprof_member *members)
{
    const struct cprof_type *all = b->types.data;

    for (uint32_t i = 0; i < b->types.count; i++)
        if (all[i].name == type->name && all[i].size == type->size &&
            all[i].reordered == type->reordered && same_members(b, i, type, members))
            return i;
    return CPROF_NONE;
}

static int push_member(struct builder *b, const struct cprof_member *member)
{
    struct cprof_member copy = *member, *new;

    if (intern(b, &copy.name) || intern(b, &copy.type) ||
        !(new = builder_push(b, &b->members, sizeof *new)))
        return -1;
    *new = copy;
    return 0;
}

uint32_t builder_type(struct builder *b, const struct cprof_type *type,
                      const struct cprof_member *members)
{
    struct cprof_type key = *type, *new;
    uint32_t found;

    if (builder_failed(b) || intern(b, &key.name))
        return CPROF_NONE;
    found = find(b, &key, members);
    if (found != CPROF_NONE)
        return found;
    key.first_member = (uint32_t)b->members.count;
    for (uint32_t i = 0; i < key.n_members; i++)
        if (push_member(b, &members[i]))
            return CPROF_NONE;
    if (!(new = builder_push(b, &b->types, sizeof *new)))
        return CPROF_NONE;
    *new = key;
    return (uint32_t)b->types.count - 1;
}

int builder_settle_types(struct builder *b, struct cprof_profile *p)
{
    struct arena *arena = &b->profile->arena;

    p->n_types = (uint32_t)b->types.count;
    p->n_members = (uint32_t)b->members.count;
    p->types = arena_copy(arena, b->types.data, p->n_types, sizeof *p->types);
    p->members = arena_copy(arena, b->members.data, p->n_members, sizeof *p->members);
    return p->types && p->members ? 0 : builder_out_of_memory(b);
}
