/*
 * cp_live.c - data structure #1: blocks by number, with a list of those that are unused. #2: a tree
 * of three levels by address. A leaf is for 64 KiB of the program's memory, and has the first block
 * of each 16 bytes; what lies beside each other there does so here.
 */
#include "cp_live.h"

#define GRANULE_BITS 4
#define LEAF_BITS    16
#define REGION_BITS  32
#define TOP_BITS     47 /* of the program's addresses */

typedef struct {
    UInt first[1 << (LEAF_BITS - GRANULE_BITS)];
} LiveLeaf;

typedef struct {
    LiveLeaf *leaves[1 << (REGION_BITS - LEAF_BITS)];
} LiveRegion;

static LiveRegion *regions[1 << (TOP_BITS - REGION_BITS)];
static Pool blocks = {.size = sizeof(LiveBlock), .tag = "cp.live.1"};
static UInt unused;

/* Bits of the address from `low` up to `high`. */
static inline UInt bits(Addr a, UInt low, UInt high)
{
    return (UInt)(a >> low) & ((1u << (high - low)) - 1);
}

/* The number of the first block in the place of the address. NULL: there never was any nearby. */
static UInt *place_of(Addr a, Bool makes)
{
    LiveRegion **region = &regions[bits(a, REGION_BITS, TOP_BITS)];
    LiveLeaf **leaf;

    if (!*region && !makes)
        return NULL;
    if (!*region)
        *region = VG_(calloc)("cp.live.2", 1, sizeof **region);
    leaf = &(*region)->leaves[bits(a, LEAF_BITS, REGION_BITS)];
    if (!*leaf && !makes)
        return NULL;
    if (!*leaf)
        *leaf = VG_(calloc)("cp.live.3", 1, sizeof **leaf);
    return &(*leaf)->first[bits(a, GRANULE_BITS, LEAF_BITS)];
}

LiveBlock *cp_live_at(UInt block)
{
    return cp_pool_at(&blocks, block);
}

UInt cp_live_find(Addr start, Bool in_pool)
{
    const UInt *place = place_of(start, False);
    UInt block = place ? *place : 0;

    while (block && (cp_live_at(block)->start != start ||
                     (cp_live_at(block)->pool != LIVE_HEAP) != in_pool))
        block = cp_live_at(block)->next;
    return block;
}

void cp_live_put_back(UInt block)
{
    UInt *place = place_of(cp_live_at(block)->start, True);

    cp_live_at(block)->next = *place;
    *place = block;
}

UInt cp_live_add(Addr start, UInt pool)
{
    UInt block = unused;

    if (!blocks.n)
        cp_pool_add(&blocks); /* nobody gets number 0 */
    if (block) {
        unused = cp_live_at(block)->next;
    } else {
        block = blocks.n;
        cp_pool_add(&blocks);
    }
    *cp_live_at(block) = (LiveBlock){.start = start, .pool = pool};
    cp_live_put_back(block);
    return block;
}

void cp_live_take(UInt block)
{
    UInt *at = place_of(cp_live_at(block)->start, False);

    while (*at != block)
        at = &cp_live_at(*at)->next;
    *at = cp_live_at(block)->next;
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
    for (UInt block = 1; block < blocks.n; block++)
        if (cp_live_at(block)->pool == pool)
            use(block);
}
