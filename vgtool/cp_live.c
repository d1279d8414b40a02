/*
 * cp_live.c - makes places of blocks, and blocks; finds the block around an address.
 */
#include "cp_live.h"

LiveRegion *cp_live_regions[1 << (LIVE_TOP - LIVE_REGION)];
Pool cp_live_blocks = {.size = sizeof(LiveBlock), .tag = "cp.live.1"};
static UInt unused;
ULong cp_live_largest;
static Bool any_pool; /* a pool has, or had, a block */

static UInt *new_place(Addr a)
{
    LiveRegion **region = &cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];
    LiveLeaf **leaf;

    if (!*region)
        *region = VG_(calloc)("cp.live.2", 1, sizeof **region);
    leaf = &(*region)->leaves[cp_live_bits(a, LIVE_LEAF, LIVE_REGION)];
    *leaf = VG_(calloc)("cp.live.3", 1, sizeof **leaf);
    (*region)->used[cp_live_bits(a, LIVE_LEAF + 6, LIVE_REGION)] |=
        1ULL << cp_live_bits(a, LIVE_LEAF, LIVE_LEAF + 6);
    return cp_live_place(a);
}

static inline LiveLeaf *leaf_of(Addr a)
{
    LiveRegion *region = cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];

    return region ? region->leaves[cp_live_bits(a, LIVE_LEAF, LIVE_REGION)] : NULL;
}

static inline void mark_used(Addr a)
{
    leaf_of(a)->used[cp_live_bits(a, LIVE_PLACE + 6, LIVE_LEAF)] |=
        1ULL << cp_live_bits(a, LIVE_PLACE, LIVE_PLACE + 6);
}

void cp_live_put_back(UInt block)
{
    LiveBlock *b = cp_live_at(block);
    UInt *place = cp_live_place(b->start);

    if (UNLIKELY(!place))
        place = new_place(b->start);
    b->next = *place;
    *place = block;
    if (UNLIKELY(clo_data))
        mark_used(b->start);
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
    any_pool |= pool != LIVE_HEAP;
    *cp_live_at(block) = (LiveBlock){.start = start, .pool = pool};
    cp_live_put_back(block);
    return block;
}

/* Without a size it is around nothing, should it be a recent one. */
void cp_live_drop(UInt block)
{
    cp_live_at(block)->size = 0;
    cp_live_at(block)->pool = LIVE_HEAP;
    cp_live_at(block)->next = unused;
    unused = block;
}

/*--- The block around an address ---*/

/* The index of the last bit that is set in the map, from bit `last` downwards; -1: there is none.
 */
static Int last_used(const ULong *map, Int last)
{
    ULong word = map[last / 64] & (~0ULL >> (63 - last % 64));
    Int i = last / 64;

    while (!word && i > 0)
        word = map[--i];
    return word ? i * 64 + 63 - __builtin_clzll(word) : -1;
}

/* The last place at or before the address that has a block, in its leaf; 0: there is none. Places
 * that have none any more are marked so. */
static Addr last_in_leaf(LiveLeaf *leaf, Addr a)
{
    Int i = (Int)cp_live_bits(a, LIVE_PLACE, LIVE_LEAF);

    while ((i = last_used(leaf->used, i)) >= 0 && !leaf->first[i]) {
        leaf->used[i / 64] &= ~(1ULL << (i % 64));
        if (i-- == 0)
            return 0;
    }
    return i < 0 ? 0 : (a >> LIVE_LEAF << LIVE_LEAF) + ((Addr)i << LIVE_PLACE);
}

/* The last leaf at or before that of the address, as the address of its end; 0: there is none. */
static Addr last_leaf(Addr a)
{
    const LiveRegion *region = cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];
    Int i = region ? last_used(region->used, (Int)cp_live_bits(a, LIVE_LEAF, LIVE_REGION)) : -1;

    if (i < 0)
        return 0;
    return (a >> LIVE_REGION << LIVE_REGION) + ((Addr)i << LIVE_LEAF) + ((1 << LIVE_LEAF) - 1);
}

/* The last place at or before the address, but not before `least`, that has a block; 0: none. */
static Addr last_place(Addr a, Addr least)
{
    while (a >= least && a) {
        Addr end = last_leaf(a), place;
        if (!end) {
            a = (a >> LIVE_REGION << LIVE_REGION) - 1; /* of the region before */
            if (a + 1 == 0)
                return 0;
            continue;
        }
        if (end < a)
            a = end;
        place = last_in_leaf(leaf_of(a), a);
        if (place)
            return place;
        a = (a >> LIVE_LEAF << LIVE_LEAF) - 1;
    }
    return 0;
}

/* The one of the blocks in the place that is around the address, and begins last. */
static UInt block_around(Addr place, Addr a)
{
    UInt found = 0;

    for (UInt i = *cp_live_place(place); i; i = cp_live_at(i)->next) {
        const LiveBlock *b = cp_live_at(i);
        if (a - b->start < b->size && (!found || b->start > cp_live_at(found)->start ||
                                       (b->start == cp_live_at(found)->start && b->pool)))
            found = i;
    }
    return found;
}

/* The block that was found last around an address in the same leaf, or in one of a number that
 * differs in high bits alone. Most misses are in large blocks, whose beginnings are far away. */
#define RECENT 1024
static UInt recent[RECENT];

/* The block may lie where another one has gone without having been seen. */
void cp_live_forget(const LiveBlock *b)
{
    Addr first = b->start >> LIVE_LEAF, last = (b->start + b->size) >> LIVE_LEAF;

    for (Addr i = first; i <= last && i - first < RECENT; i++)
        recent[i % RECENT] = 0;
}

/* Blocks of the heap do not overlap, so that the block at the last place is the only one that can
 * be around the address, unless the address lies in the same place. */
static UInt find_around(Addr a)
{
    Addr least = a > cp_live_largest ? a - cp_live_largest : 1, at = a;
    UInt block, tried = 0;

    if (a >> LIVE_TOP)
        return 0;
    while ((at = last_place(at, least)) != 0) {
        block = block_around(at, a);
        if (block)
            return block;
        if (!any_pool && tried++)
            return 0;
        at -= 1;
    }
    return 0;
}

/* A block of a pool may lie in one of the heap, and be the one. */
UInt cp_live_around(Addr a)
{
    UInt *known = &recent[(a >> LIVE_LEAF) % RECENT];

    if (LIKELY(*known && !any_pool && a - cp_live_at(*known)->start < cp_live_at(*known)->size))
        return *known;
    return *known = find_around(a);
}

void cp_live_each(UInt pool, void (*use)(UInt block))
{
    tl_assert(pool != LIVE_HEAP);
    for (UInt block = 1; block < cp_live_blocks.n; block++)
        if (cp_live_at(block)->pool == pool)
            use(block);
}
