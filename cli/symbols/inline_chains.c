#include <config.h>

#include "symbols/inline_chains.h"

#include "base/array.h"

#include <stdlib.h>

static int equal(const void *owner, uint32_t index, const void *key)
{
    const struct inline_chain *a = (const struct inline_chain *)owner + index, *b = key;

    return a->parent == b->parent && a->function == b->function && a->file == b->file &&
           a->line == b->line;
}

uint32_t inline_chains_add(struct inline_chains *c, const struct inline_chain *chain)
{
    uint64_t mixed = map_mix((uint64_t)chain->parent << 32 | chain->function,
                             (uint64_t)chain->file << 32 | chain->line);
    uint32_t hash = map_hash(mixed), found = map_find(&c->map, hash, equal, c->items, chain);

    if (found != MAP_NONE)
        return found;
    GROW(c->items, c->n, c->room);
    c->items[c->n] = *chain;
    if (map_add(&c->map, hash, c->n) != 0)
        memory_die();
    return c->n++;
}

void inline_chains_free(struct inline_chains *c)
{
    free(c->items);
    map_release(&c->map);
    *c = (struct inline_chains){.n = 0};
}
