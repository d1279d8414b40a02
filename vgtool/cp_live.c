/*
 * cp_live.c - makes places of blocks, and blocks.
 */
#include "cp_live.h"

LiveRegion *cp_live_regions[1 << (LIVE_TOP - LIVE_REGION)];
Pool cp_live_blocks = {.size = sizeof(LiveBlock), .tag = "cp.live.1"};
static UInt unused;

static UInt *new_place(Addr a)
{
    LiveRegion **region = &cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];
    LiveLeaf **leaf;

    if (!*region)
        *region = VG_(calloc)("cp.live.2", 1, sizeof **region);
    leaf = &(*region)->leaves[cp_live_bits(a, LIVE_LEAF, LIVE_REGION)];
    *leaf = VG_(calloc)("cp.live.3", 1, sizeof **leaf);
    return cp_live_place(a);
}

void cp_live_put_back(UInt block)
{
    LiveBlock *b = cp_live_at(block);
    UInt *place = cp_live_place(b->start);

    if (UNLIKELY(!place))
        place = new_place(b->start);
    b->next = *place;
    *place = block;
}

UInt cp_live_add(Addr start, UInt pool)
{
    UInt block = unused;

    if (UNLIKELY(!cp_live_blocks.n))
        cp_pool_add(&cp_live_blocks); /* nobody gets number 0 */
    if (LIKELY(block)) {
        unused = cp_live_at(block)->next;
    } else {
        block = cp_live_blocks.n;
        cp_pool_add(&cp_live_blocks);
    }
    *cp_live_at(block) = (LiveBlock){.start = start, .pool = pool};
    cp_live_put_back(block);
    return block;
}

void cp_live_drop(UInt block)
{
    cp_live_at(block)->pool = LIVE_HEAP;
    cp_live_at(block)->next = unused;
    unused = block;
}

void cp_live_each(UInt pool, void (*use)(UInt block))
{
    tl_assert(pool != LIVE_HEAP);
    for (UInt block = 1; block < cp_live_blocks.n; block++)
        if (cp_live_at(block)->pool == pool)
            use(block);
}
