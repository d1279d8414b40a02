#include <config.h>

/* Types of data. */
#include "builder_private.h"

/* Member `i` of a type that has so many. */
static const struct cprof_member *member_at(const struct builder *b, const struct cprof_type *type,
                                            uint32_t i)
{
    return (const struct cprof_member *)b->members.data + type->first_member + i;
}

/* Texts are the builder's, and so are members; `owner` is the builder. */
static int equal_type(const void *owner, uint32_t index, const void *key)
{
    const struct builder *b = owner;
    const struct cprof_type *x = (const struct cprof_type *)b->types.data + index, *y = key;

    if (x->name != y->name || x->size != y->size || x->reordered != y->reordered ||
        x->n_members != y->n_members)
        return 0;
    for (uint32_t i = 0; i < x->n_members; i++) {
        const struct cprof_member *m = member_at(b, x, i), *its = member_at(b, y, i);

        if (m->offset != its->offset || m->size != its->size || m->depth != its->depth ||
            m->name != its->name || m->type != its->type)
            return 0;
    }
    return 1;
}

static uint32_t hash_type(const struct builder *b, const struct cprof_type *type)
{
    uint64_t hash = map_mix(map_mix((uintptr_t)type->name, type->size), type->n_members);

    for (uint32_t i = 0; i < type->n_members; i++) {
        const struct cprof_member *m = member_at(b, type, i);

        hash = map_mix(map_mix(map_mix(hash, m->offset), (uintptr_t)m->name), (uintptr_t)m->type);
    }
    return map_hash(hash);
}

static int push_member(struct builder *b, const struct cprof_member *member)
{
    struct cprof_member copy = *member, *new;

    if (builder_intern(b, &copy.name) || builder_intern(b, &copy.type) ||
        !(new = builder_push(b, &b->members, sizeof *new)))
        return -1;
    *new = copy;
    return 0;
}

/* Adds the type; its members are there. CPROF_NONE: out of memory. */
static uint32_t add(struct builder *b, const struct cprof_type *type, uint32_t hash)
{
    struct cprof_type *new = builder_push(b, &b->types, sizeof *new);

    if (!new)
        return CPROF_NONE;
    *new = *type;
    if (map_add(&b->type_map, hash, (uint32_t)b->types.count - 1)) {
        builder_out_of_memory(b);
        return CPROF_NONE;
    }
    return (uint32_t)b->types.count - 1;
}

uint32_t builder_type(struct builder *b, const struct cprof_type *type,
                      const struct cprof_member *members)
{
    struct cprof_type key = *type;
    uint32_t hash, found;

    if (builder_failed(b) || builder_intern(b, &key.name))
        return CPROF_NONE;
    key.first_member = (uint32_t)b->members.count;
    for (uint32_t i = 0; i < key.n_members; i++)
        if (push_member(b, &members[i]))
            return CPROF_NONE;
    hash = hash_type(b, &key);
    found = map_find(&b->type_map, hash, equal_type, b, &key);
    if (found == MAP_NONE)
        return add(b, &key, hash);
    b->members.count = key.first_member;
    return found;
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
