#include <config.h>

#include "render/export/pool.h"

#include "base/array.h"

struct key {
    const void *bytes;
    size_t size;
};

static int same_bytes(const void *owner, uint32_t index, const void *key)
{
    const struct pool *pool = owner;
    const struct key *k = key;

    return pool->items[index].size == k->size &&
           (!k->size || !memcmp(pool_at(pool, index), k->bytes, k->size));
}

uint32_t pool_add(struct pool *pool, const void *bytes, size_t size)
{
    struct key key = {bytes, size};
    uint32_t hash = map_hash_bytes(bytes, size, 0);
    uint32_t found = map_find(&pool->map, hash, same_bytes, pool, &key);

    if (found != MAP_NONE)
        return found;
    GROW(pool->items, pool->n, pool->room);
    pool->items[pool->n] = (struct pool_item){pool->bytes.size, size};
    strbuf_add_bytes(&pool->bytes, size ? bytes : "", size);
    memory_check(map_add(&pool->map, hash, (uint32_t)pool->n));
    return (uint32_t)pool->n++;
}

const void *pool_at(const struct pool *pool, size_t number)
{
    return pool->bytes.text + pool->items[number].offset;
}

void pool_free(struct pool *pool)
{
    map_release(&pool->map);
    free(pool->items);
    strbuf_free(&pool->bytes);
    *pool = (struct pool){.n = 0};
}
