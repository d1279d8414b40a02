#include <config.h>

#include "map.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64

uint32_t map_find(const struct map *m, uint32_t hash, map_equal *equal, const void *owner,
                  const void *key)
{
    size_t mask = m->n_slots - 1;

    if (!m->n_slots)
        return MAP_NONE;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        const struct map_slot *slot = &m->slots[i];
        if (slot->index == MAP_NONE)
            return MAP_NONE;
        if (slot->hash == hash && equal(owner, slot->index, key))
            return slot->index;
    }
}

static void put(struct map_slot *slots, size_t n_slots, struct map_slot new)
{
    size_t i = new.hash &(n_slots - 1);

    while (slots[i].index != MAP_NONE)
        i = (i + 1) & (n_slots - 1);
    slots[i] = new;
}

static int grow(struct map *m)
{
    size_t n_slots = m->n_slots ? m->n_slots * 2 : FIRST_SLOTS;
    struct map_slot *slots;

    if (n_slots > SIZE_MAX / sizeof *slots || !(slots = malloc(n_slots * sizeof *slots)))
        return -1;
    memset(slots, 0xff, n_slots * sizeof *slots);
    for (size_t i = 0; i < m->n_slots; i++)
        if (m->slots[i].index != MAP_NONE)
            put(slots, n_slots, m->slots[i]);
    free(m->slots);
    m->slots = slots;
    m->n_slots = n_slots;
    return 0;
}

int map_add(struct map *m, uint32_t hash, uint32_t index)
{
    if (m->count >= m->n_slots / 3 * 2 && grow(m))
        return -1;
    put(m->slots, m->n_slots, (struct map_slot){hash, index});
    m->count++;
    return 0;
}

void map_release(struct map *m)
{
    free(m->slots);
    memset(m, 0, sizeof *m);
}

uint32_t set_put(struct set *s, uint32_t hash, map_equal *equal, const void *key, size_t size)
{
    uint32_t index = map_find(&s->map, hash, equal, s->items.data, key);
    void *new;

    if (index != MAP_NONE)
        return index;
    index = (uint32_t)s->items.count;
    if (s->items.count >= MAP_NONE - 1 || !(new = vector_push(&s->items, size)))
        return MAP_NONE;
    memcpy(new, key, size);
    return map_add(&s->map, hash, index) ? MAP_NONE : index;
}

void set_release(struct set *s)
{
    free(s->items.data);
    map_release(&s->map);
    s->items = (struct vector){NULL, 0, 0};
}

uint32_t map_hash_bytes(const void *data, size_t size, uint64_t seed)
{
    const char *bytes = data;
    uint64_t hash = map_mix(seed, size), word;

    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = map_mix(hash, word);
    }
    word = 0;
    memcpy(&word, bytes, size);
    return map_hash(map_mix(hash, word));
}
