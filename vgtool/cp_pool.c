/*
 * cp_pool.c - the growth of arrays whose elements never move (cp_tool.h).
 */
#include "cp_core.h"

void *cp_fresh(const HChar *tag, SizeT size)
{
    enum { REGION = 64 << 20, ALIGNMENT = 128 }; /* two lines of the host's caches */
    static UChar *region;
    static SizeT left;

    size = (size + ALIGNMENT - 1) & ~(SizeT)(ALIGNMENT - 1);
    if (size > REGION / 64)
        return VG_(calloc)(tag, 1, size);
    if (left < size) {
        region = cp_core_memory(REGION);
        left = region ? REGION : 0;
        if (!region)
            return VG_(calloc)(tag, 1, size);
        cp_core_huge(region, REGION);
    }
    left -= size;
    return region + left;
}

void *cp_pool_add(Pool *pool)
{
    if (pool->n == pool->n_chunks * POOL_CHUNK) {
        pool->chunks =
            VG_(realloc)(pool->tag, pool->chunks, (pool->n_chunks + 1) * sizeof *pool->chunks);
        pool->chunks[pool->n_chunks++] = cp_fresh(pool->tag, POOL_CHUNK * pool->size);
    }
    return cp_pool_at(pool, pool->n++);
}
