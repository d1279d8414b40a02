/*
 * cp_pool.c - the growth of arrays whose elements never move (cp_tool.h).
 */
#include "cp_tool.h"

void *cp_pool_add(Pool *pool)
{
    if (pool->n == pool->n_chunks * POOL_CHUNK) {
        pool->chunks =
            VG_(realloc)(pool->tag, pool->chunks, (pool->n_chunks + 1) * sizeof *pool->chunks);
        pool->chunks[pool->n_chunks++] = VG_(calloc)(pool->tag, POOL_CHUNK, pool->size);
    }
    return cp_pool_at(pool, pool->n++);
}
